import assert from "node:assert/strict"
import { mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { after, before, test } from "node:test"
import { temporaryDirectory } from "../../../../test/harness/directory.ts"
import { recordFlushes } from "../../../../test/harness/flushes.ts"
import { cannotListOpenFiles } from "../../../../test/harness/open-files.ts"
import { installationIn, makeBackup, makeInstallation } from "../../../../test/harness/small-backup.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { lockFile } from "../../../core/sqlite/lock.ts"
import { readUnfinished } from "../../../core/sqlite/unfinished.ts"
import type { ArchiveReader } from "../archive/archive.ts"
import { openDirectoryReader } from "../archive/disk.ts"
import type { Manifest } from "../archive/manifest.ts"
import type { Installation } from "../installation/installation.ts"
import { restore } from "./restore.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())
const at = (name: string) => join(directory.path, name)
let manifest: Manifest

before(async () => {
  const installation = await makeInstallation(at("data"), 9)
  manifest = (await makeBackup(installation, at("archive"))).manifest
})

let targets = 0
const empty =
  "a backup can be restored only to an empty target: nothing was changed; move the data away, or set another PETSTORE_DATA_DIR"

/** Restores, and calls `then` when the file `reads` is read, and `report` at each step. */
async function restoreWhile(installation: Installation, { reads = "", then = () => {}, report = (_: string) => {} }) {
  await using reader = await openDirectoryReader(at("archive"))
  const watched: ArchiveReader = {
    ...reader,
    read(name) {
      if (name === reads) then()
      return reader.read(name)
    },
  }
  return await restore(installation, watched, 1000, report)
}

test("a target that is used while the backup is verified is refused", async () => {
  const installation = installationIn(at(`target ${targets++}`))
  const { dataDir } = installation
  const then = () => {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(join(dataDir, "petstore.db"), "x")
  }
  await assert.rejects(
    restoreWhile(installation, { reads: "secret.key", then }),
    new CannotStart(`${dataDir}/petstore.db already exists, and ${empty}`),
  )
  assert.deepEqual(readdirSync(dataDir).sort(), ["petstore.db", "petstore.db.lock"])
})

test("until a restore is complete no service starts there, and then the database and its name are durable", {
  skip: cannotListOpenFiles,
}, async () => {
  const installation = installationIn(at(`target ${targets++}`))
  const { dataDir } = installation
  const file = join(realpathSync(directory.path), basename(dataDir), "petstore.db")
  const sources = new Set<string | undefined>()
  using flushes = await recordFlushes(realpathSync(directory.path))
  await restoreWhile(installation, { report: (what) => void (what !== "files" && sources.add(readUnfinished(file))) })
  assert.deepEqual([...sources], [manifest.files.sha256])
  assert.equal(readUnfinished(file), undefined)
  const flushed = flushes.take().map((path) => path.replace(basename(dataDir), "to"))
  assert.equal(flushed.filter((path) => path === "to/petstore.db.restored").length, 1)
  assert.equal(flushed.at(-1), "to")
  const unlock = lockFile(`${file}.lock`)
  assert.ok(unlock)
  unlock()
})
