import assert from "node:assert/strict"
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { diskBlobs, openDiskBlobs } from "./blobs.ts"

test("reading and restoring where no image was ever kept finds nothing, and creates nothing", async () => {
  using directory = temporaryDirectory()
  const blobs = diskBlobs(directory.path)
  assert.equal(await blobs.read("0-0", "original", { start: 0, end: 1 }), undefined)
  assert.equal(await blobs.restore("0-0"), false)
  assert.deepEqual(await Array.fromAsync(blobs.keptBefore(Number.POSITIVE_INFINITY)), [])
  assert.deepEqual(await Array.fromAsync(blobs.trashed()), [])
  assert.deepEqual(await blobs.incomplete(["0-0"]), ["0-0"])
  assert.equal(await blobs.mayTrashMany(), false)
  assert.equal(await blobs.owner(), undefined)
  await blobs.remove("0-0")
  assert.deepEqual(readdirSync(directory.path), [])
})

test("a part that is missing beside the others is in no image, neither kept nor in the trash", async () => {
  using directory = temporaryDirectory()
  const blobs = openDiskBlobs(directory.path)
  mkdirSync(join(directory.path, "kept/half/original"), { recursive: true })
  mkdirSync(join(directory.path, "trash/2026-01-01/half/320"), { recursive: true })
  mkdirSync(join(directory.path, "trash/2026-01-02/half/1280"), { recursive: true })
  for (const part of ["original", "320", "1280"])
    mkdirSync(join(directory.path, "trash/2026-01-03/whole", part), { recursive: true })
  assert.deepEqual(await blobs.incomplete(["half", "whole"]), ["half"])
  assert.equal(blobs.hasChecksums, false, "a disk does not compare what it reads")
})

test("a directory that cannot be made is named, with the setting", () => {
  assert.throws(
    () => openDiskBlobs("/proc/images"),
    (error: Error) =>
      error instanceof CannotStart &&
      /^Images cannot be kept in \/proc\/images: .*Choose another directory with PETSTORE_BLOB_URL\.$/.test(
        error.message,
      ),
  )
})
