import assert from "node:assert/strict"
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { alsoListing } from "../../../test/harness/listing.ts"
import { createDiskTrash } from "./trash.ts"

const dayMs = 24 * 60 * 60 * 1000

test("a trashed directory is taken back once, from any day", async () => {
  using directory = temporaryDirectory()
  const { put, take } = createDiskTrash(join(directory.path, "trash"))
  const back = (name: string) => take(name, join(directory.path, `${name} again`))
  assert.equal(await back("a"), false)
  for (const [name, at] of [
    ["a", 0],
    ["b", dayMs],
  ] as const) {
    mkdirSync(join(directory.path, name))
    await put(join(directory.path, name), name, at)
  }
  assert.deepEqual([await back("b"), await back("a"), await back("a")], [true, true, false])
  assert.deepEqual(readdirSync(directory.path).sort(), ["a again", "b again", "trash"])
})

test("a day is emptied once it has ended, with the number of its directories, and others stay", async () => {
  using directory = temporaryDirectory()
  const path = join(directory.path, "trash")
  const { put, empty, some, names } = createDiskTrash(path)
  assert.deepEqual([await empty(dayMs), await some("a", async () => true)], [0, false])
  for (const [name, at] of [
    ["a", 0],
    ["b", dayMs - 1],
    ["c", dayMs],
  ] as const) {
    mkdirSync(join(directory.path, name))
    await put(join(directory.path, name), name, at)
  }
  await put(join(directory.path, "absent"), "absent", 0)
  const asked: string[] = []
  const isThere = (name: string) =>
    some(name, async (found) => {
      asked.push(found)
      return found.startsWith(join(path, "1970-01-02"))
    })
  assert.deepEqual([await isThere("c"), asked], [true, ["1970-01-01", "1970-01-02"].map((day) => join(path, day, "c"))])
  {
    // Another process may empty it at the same time.
    using _ = alsoListing(path, "1969-12-31")
    assert.deepEqual([await empty(dayMs - 1), await Array.fromAsync(names())], [0, ["a", "b", "c"]])
    assert.equal(await empty(dayMs), 2)
  }
  assert.deepEqual(readdirSync(path), ["1970-01-02"])
  assert.deepEqual(await Array.fromAsync(names()), ["c"])
})
