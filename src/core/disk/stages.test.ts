import assert from "node:assert/strict"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { alsoListing } from "../../../test/harness/listing.ts"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { createBlobKey } from "./blob-key.ts"
import { createStages } from "./stages.ts"

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
const once = async function* (text: string) {
  yield Buffer.from(text)
}

test("a stage is a directory of the owner while it is used", async () => {
  using directory = temporaryDirectory()
  const { stage, clearStages } = createStages(directory.path)
  {
    await using used = await stage(1000)
    const file = await used.write("part", once("bytes"))
    assert.deepEqual([file, readFileSync(file, "utf8")], [join(used.path, "part"), "bytes"])
    assert.deepEqual([used.path, file].map(modeOf), ["700", "600"])
    await clearStages(1000)
    assert.equal(readdirSync(directory.path).length, 1)
  }
  assert.deepEqual(readdirSync(directory.path), [])
  const left = await stage(1000)
  {
    // Another process may clear them at the same time.
    using _ = alsoListing(directory.path, createBlobKey(1000))
    await clearStages(1001)
  }
  assert.deepEqual(readdirSync(directory.path), [])
  await left[Symbol.asyncDispose]()
})

test("clearing stages is no error while others remove them, nor is disposing of one that was cleared", async () => {
  using directory = temporaryDirectory()
  const { stage, clearStages } = createStages(directory.path)
  const stages = await Promise.all(Array.from({ length: 100 }, () => stage(1000)))
  await Promise.all([clearStages(1001), ...stages.map((one) => one[Symbol.asyncDispose]())])
  assert.deepEqual(readdirSync(directory.path), [])
  const cleared = await stage(1000)
  await clearStages(1001)
  await cleared[Symbol.asyncDispose]()
})

test("16 MiB of the disk stay free for the database", async () => {
  using directory = temporaryDirectory()
  let freeBytes = 16 * 1024 * 1024
  const { stage } = createStages(directory.path, async () => freeBytes)
  await (await stage(1000))[Symbol.asyncDispose]()
  freeBytes--
  await assert.rejects(stage(1000), new StoreUnavailable("the disk is nearly full"))
  assert.deepEqual(readdirSync(directory.path), [])
})
