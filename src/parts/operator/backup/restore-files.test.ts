import assert from "node:assert/strict"
import { appendFileSync, existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../../test/harness/directory.ts"
import { makeBackup, makeInstallation, rewrite } from "../../../../test/harness/small-backup.ts"
import { openDiskBlobs } from "../../../core/disk/blobs.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { openDirectoryReader } from "../archive/disk.ts"
import { compareFiles, restoreFiles } from "./restore-files.ts"
import { readManifest } from "./verify.ts"

test("restored files are read back, and one that differs from the backup is named", async () => {
  using directory = temporaryDirectory()
  const at = (name: string) => join(directory.path, name)
  const { manifest } = await makeBackup(await makeInstallation(at("data"), 1), at("archive"))
  await using archive = await openDirectoryReader(at("archive"))
  const blobs = openDiskBlobs(at("images"))
  const destination = { blobs, dataDir: directory.path, databaseDraft: at("petstore.db") }
  await restoreFiles(archive, manifest, destination, 1000, () => {})
  const compare = () => compareFiles(archive, manifest, destination, () => {})
  await compare()
  appendFileSync(at("petstore.db"), "x")
  await assert.rejects(
    compare(),
    new CannotStart("petstore.db differs from the backup after it was restored: check the disk"),
  )
})

test("a file that is part of no backup is not restored", async () => {
  using directory = temporaryDirectory()
  const at = (name: string) => join(directory.path, name)
  await makeBackup(await makeInstallation(at("data"), 0), at("archive"))
  await rewrite(at("archive"), at("copy"), {
    change: (copy) => writeFileSync(join(copy, "notes"), "x"),
    lines: () => [{ name: "notes", bytes: 1, sha256: "" }],
  })
  await using archive = await openDirectoryReader(at("copy"))
  const destination = { blobs: openDiskBlobs(at("images")), dataDir: directory.path, databaseDraft: at("draft.db") }
  await assert.rejects(
    restoreFiles(archive, await readManifest(archive), destination, 1000, () => {}),
    new CannotStart("The backup contains the unknown file notes"),
  )
  assert.equal(existsSync(at("draft.db")), false)
})
