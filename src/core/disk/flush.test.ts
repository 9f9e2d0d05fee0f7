import assert from "node:assert/strict"
import { mkdirSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { recordFlushes } from "../../../test/harness/flushes.ts"
import { cannotListOpenFiles, countAllOpen } from "../../../test/harness/open-files.ts"
import { openDisk } from "../sqlite/disk.ts"
import { openDiskBlobs } from "./blobs.ts"
import { replaceWith, writeOnce } from "./private.ts"

test("a file that is written once, or replaced, is flushed, and then the name of it", {
  skip: cannotListOpenFiles,
}, async () => {
  using directory = temporaryDirectory()
  const root = realpathSync(directory.path)
  using flushes = await recordFlushes(root)
  const file = join(root, "below/file")
  const before = countAllOpen()
  writeOnce(file, "one")
  const [draft = "", ...names] = flushes.take()
  assert.match(draft, /^below\/file\.[0-9a-f]{12}$/)
  assert.deepEqual(names, ["below"])
  writeFileSync(join(root, "next"), "two")
  replaceWith(join(root, "next"), file)
  assert.deepEqual([flushes.take(), countAllOpen()], [["below"], before])
})

test("the names of a database and of its log are flushed when they are opened", {
  skip: cannotListOpenFiles,
}, async () => {
  using directory = temporaryDirectory()
  const root = realpathSync(directory.path)
  mkdirSync(join(root, "data"))
  using db = new DatabaseSync(join(root, "data/petstore.db"))
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
  using flushes = await recordFlushes(root)
  const { close } = openDisk(db)
  close()
  assert.deepEqual(flushes.take(), ["data"])
})

test("the files of an image are flushed before their directory gets its name, and after that the name", {
  skip: cannotListOpenFiles,
}, async () => {
  using directory = temporaryDirectory()
  const root = realpathSync(directory.path)
  const blobs = openDiskBlobs(root)
  using flushes = await recordFlushes(root)
  await using stage = await blobs.stage(0)
  const write = (part: string) => stage.write(part, new Blob([part]).stream())
  const parts = { original: await write("a"), "320": await write("b"), "1280": await write("c") }
  assert.deepEqual(flushes.take(), [])
  const key = await blobs.keep(parts, 0)
  const flushed = flushes.take()
  const files = ["", "/1280", "/320", "/original"].map((part) => `staged/${key}${part}`)
  assert.deepEqual([flushed.slice(0, 4).sort(), flushed.slice(4)], [files, ["kept"]])

  await blobs.trash(key, 0)
  assert.deepEqual([await blobs.restore(key), flushes.take()], [true, ["kept"]])
  assert.deepEqual([await blobs.restore(key), flushes.take()], [false, []])
})
