import assert from "node:assert/strict"
import { existsSync, statSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../../test/harness/directory.ts"
import type { Pet } from "../../../core/domain/pets/contract.ts"
import { StoreUnavailable } from "../../../core/domain/ports/store.ts"
import { openTemporaryData, type TemporaryData } from "./temporary.ts"

const samplePet = (id: number, photoUrls: string[] = []): Pet => ({
  id,
  name: `pet ${id}`,
  photoUrls,
  tags: [],
  status: "available",
})

const failed = (error: unknown) => assert.fail(String(error))

/** Fills a home with a pet and an image of three bytes. */
async function fill(home: TemporaryData): Promise<void> {
  assert.ok(existsSync(home.directory))
  const [store, blobs] = [home.openDatabase(), home.openBlobs()]
  await store.transaction((tx) => tx.pets.add([samplePet(1)]))
  await using stage = await blobs.stage(0)
  const write = (name: string) =>
    stage.write(
      name,
      (async function* () {
        yield Buffer.from("x")
      })(),
    )
  await blobs.keep({ original: await write("a"), "320": await write("b"), "1280": await write("c") }, 0)
  await store.close()
}

test("the database of a home has at most 32 MiB, and its images 64 MiB (slow)", async () => {
  using directory = temporaryDirectory()
  await using stores = openTemporaryData(join(directory.path, "temporary"), fill, failed)
  const home = await stores.make()
  const store = home.openDatabase()
  let id = 10
  for (const kilobytes of [1000, 100, 10, 1])
    for (let isFull = false; !isFull; )
      await store
        .transaction((tx) => tx.pets.add([samplePet(++id, ["u".repeat(1000 * kilobytes)])]))
        .catch((error: unknown) => {
          assert.ok(error instanceof StoreUnavailable)
          isFull = true
        })
  await store.close()
  const { size } = statSync(home.databaseFile)
  assert.ok(size > 31.9 * 2 ** 20 && size <= 32 * 2 ** 20, `${size} bytes`)

  const blobs = home.openBlobs()
  const keep = async (bytes: number) => {
    await using stage = await blobs.stage(0)
    const write = (name: string) => stage.write(name, (async function* () {})())
    const parts = { original: await write("a"), "320": await write("b"), "1280": await write("c") }
    truncateSync(parts.original, bytes)
    return await blobs.keep(parts, 0)
  }
  const copied = home.imageBytes()
  await keep(64 * 2 ** 20 - copied)
  assert.equal(home.imageBytes(), 64 * 2 ** 20)
  await assert.rejects(keep(1), StoreUnavailable)
})
