import assert from "node:assert/strict"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, test } from "node:test"
import { before, usePetstore } from "../../test/harness/use.ts"
import { perPart } from "../domain/images/contract.ts"
import { sweepImages, trashKeptMs } from "./sweep-images.ts"

const petstore = usePetstore()
let known: string[]
const dayMs = 24 * 60 * 60 * 1000

before(async () => {
  known = kept()
})
beforeEach(() => petstore.clock.advance(2 * 60 * 60 * 1000))

const kept = () => readdirSync(join(petstore.imageDirectory, "kept")).sort()
const sweep = () => sweepImages(petstore.store, petstore.blobs, petstore.clock.now())

/** Bytes no database knows of, from long enough ago that no upload is at them. */
async function orphans(count: number): Promise<string[]> {
  const { blobs, clock } = petstore
  const keep = async () => {
    await using stage = await blobs.stage(0)
    const files = perPart((part) => stage.write(part, oneByte()))
    return await blobs.keep(
      { original: await files.original, "320": await files[320], "1280": await files[1280] },
      clock.now() - 2 * 60 * 60 * 1000,
    )
  }
  return Promise.all(Array.from({ length: count }, keep))
}

async function* oneByte() {
  yield Buffer.from("x")
}

test("what no database knows goes to the trash, is counted, and is gone for good after seven days", async () => {
  await orphans(3)
  const nothing = { held: false, restored: 0, deleted: 0, emptied: 0 }
  assert.deepEqual(await sweep(), { ...nothing, scanned: known.length + 3, orphans: 3 })
  assert.deepEqual(kept(), known)

  petstore.clock.advance(trashKeptMs)
  assert.deepEqual(await sweep(), { ...nothing, scanned: known.length, orphans: 0 })
  petstore.clock.advance(dayMs)
  assert.deepEqual(await sweep(), { ...nothing, scanned: known.length, orphans: 0, emptied: 3 })
})

test("what the database knows comes back from the trash", async () => {
  const [back] = known as [string]
  await petstore.blobs.trash(back, petstore.clock.now())
  assert.equal((await sweep()).restored, 1)
  assert.deepEqual(kept(), known)
})

test("a sweep that would move away an unusual share moves nothing, until an operator agrees, once", async () => {
  await orphans(11)
  for (const held of [true, true]) assert.deepEqual([(await sweep()).held, kept().length], [held, known.length + 11])

  const agreement = join(petstore.imageDirectory, "sweep-anyway")
  writeFileSync(agreement, "")
  assert.deepEqual([(await sweep()).held, kept().length, existsSync(agreement)], [false, known.length, false])
  await orphans(11)
  assert.equal((await sweep()).held, true)
})
