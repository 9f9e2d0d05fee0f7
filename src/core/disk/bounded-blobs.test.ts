import assert from "node:assert/strict"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { openDiskBlobs } from "./blobs.ts"
import { boundBlobs } from "./bounded-blobs.ts"

test("images are accepted up to a number of bytes, which removing them does not free", async () => {
  using directory = temporaryDirectory()
  const blobs = boundBlobs(openDiskBlobs(directory.path), 100, 40)
  async function keep(...lengths: [number, number, number]) {
    await using stage = await blobs.stage(0)
    const write = (name: string, length: number) =>
      stage.write(
        name,
        (async function* () {
          yield Buffer.alloc(length)
        })(),
      )
    const [original, small, large] = lengths
    const parts = { original: await write("a", original), "320": await write("b", small) }
    return await blobs.keep({ ...parts, "1280": await write("c", large) }, 0)
  }
  assert.equal(blobs.bytes(), 40)
  const key = await keep(10, 20, 3)
  assert.equal(blobs.bytes(), 73)
  await assert.rejects(keep(10, 10, 8), new StoreUnavailable("there is no room for more images"))
  assert.equal(blobs.bytes(), 73)
  await blobs.remove(key)
  await keep(10, 10, 7)
  assert.equal(blobs.bytes(), 100)
  await assert.rejects(keep(1, 0, 0), StoreUnavailable)
})
