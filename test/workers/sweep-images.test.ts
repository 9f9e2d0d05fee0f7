import assert from "node:assert/strict"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { beforeEach, test } from "node:test"
import { perPart } from "../../src/core/domain/images/contract.ts"
import { sweepImages, trashKeptMs } from "../../src/core/workers/sweep-images.ts"
import { manualClock } from "../harness/clock.ts"
import { freePort } from "../harness/free-port.ts"
import { makeImage } from "../harness/images.ts"
import { startPetstore } from "../harness/petstore.ts"
import { type RawConnection, rawConnection } from "../harness/raw-http.ts"
import { until } from "../harness/until.ts"
import { before, usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
let known: string[]
const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

before(async () => {
  known = kept()
})
beforeEach(() => petstore.clock.advance(2 * hourMs))

const kept = () => readdirSync(join(petstore.imageDirectory, "kept")).sort()
const sweep = () => sweepImages(petstore.store, petstore.blobs, petstore.clock.now())

/** Bytes without a row, by default too old to belong to a running upload. */
async function orphans(count: number, ageMs = 2 * hourMs): Promise<string[]> {
  const { blobs, clock } = petstore
  const keep = async () => {
    await using stage = await blobs.stage(0)
    const files = perPart((part) => stage.write(part, oneByte()))
    return await blobs.keep(
      { original: await files.original, "320": await files[320], "1280": await files[1280] },
      clock.now() - ageMs,
    )
  }
  return Promise.all(Array.from({ length: count }, keep))
}

async function* oneByte() {
  yield Buffer.from("x")
}

test("bytes without a row go to the trash, are counted, and are deleted after seven days", async () => {
  await orphans(3)
  const nothing = { held: false, restored: 0, deleted: 0, emptied: 0 }
  assert.deepEqual(await sweep(), { ...nothing, scanned: known.length + 3, orphans: 3 })
  assert.deepEqual(kept(), known)

  petstore.clock.advance(trashKeptMs)
  assert.deepEqual(await sweep(), { ...nothing, scanned: known.length, orphans: 0 })
  petstore.clock.advance(dayMs)
  assert.deepEqual(await sweep(), { ...nothing, scanned: known.length, orphans: 0, emptied: 3 })
})

test("bytes of the last hour, for which an upload may still write the row, stay", async () => {
  await orphans(1, hourMs - 1)
  assert.equal((await sweep()).orphans, 0)
  petstore.clock.advance(2)
  assert.equal((await sweep()).orphans, 1)
})

test("bytes with a row are restored from the trash", async () => {
  const [back] = known as [string]
  await petstore.blobs.trash(back, petstore.clock.now())
  assert.equal((await sweep()).restored, 1)
  assert.deepEqual(kept(), known)
})

test("an upload of the only writing process is kept, also when the clock was set back before its start", async () => {
  const { blobs, store, clock } = petstore
  const startedAt = clock.now()
  await using abandoned = await blobs.stage(startedAt - 1)
  await using current = await blobs.stage(startedAt)
  await using setBack = await blobs.stage(startedAt - 60_000)
  await sweepImages(store, blobs, startedAt - 60_000, startedAt)
  assert.deepEqual(
    { abandoned: existsSync(abandoned.path), setBack: existsSync(setBack.path) },
    { abandoned: true, setBack: true },
  )
  await sweepImages(store, blobs, startedAt + 1, startedAt)
  assert.deepEqual(
    { abandoned: existsSync(abandoned.path), current: existsSync(current.path) },
    { abandoned: false, current: true },
  )
})

test("an upload that starts while the service is still starting survives the first sweep (slow)", async () => {
  const image = await makeImage("png")
  const port = await freePort()
  const clock = manualClock()
  const uploaded = Promise.withResolvers<RawConnection>()
  let isUploading = false
  // The start checks the disks after it has started to listen, and before its first sweep.
  const look = async (directory: string) => {
    if (basename(directory) === "images" && !isUploading) {
      isUploading = true
      const upload = await rawConnection(`http://127.0.0.1:${port}`)
      const head = `POST /api/v3/pet/1/uploadImage HTTP/1.1\r\nHost: x\r\napi_key: special-key\r\nContent-Type: image/png`
      upload.send(`${head}\r\nContent-Length: ${image.length}\r\n\r\n`)
      await until(() => readdirSync(join(directory, "staged")).length > 0, "the upload was not taken in")
      clock.advance(1_000)
      uploaded.resolve(upload)
    }
    return { freeBytes: 1e12, sizeBytes: 1e12, isReadOnly: false }
  }
  const env = { PETSTORE_PORT: String(port) }
  await using starting = await startPetstore({
    env,
    clock,
    steady: clock.steady,
    disk: { inspect: look },
    housekeeping: true,
  })
  await until(() => starting.lines.some((line) => line.includes("images swept")), "nothing was swept")
  using uploading = await uploaded.promise
  uploading.send(image)
  assert.equal((await uploading.response()).status, 200)
})

test("a sweep that would trash an unusual share trashes nothing until an operator agrees, once", async () => {
  await orphans(11)
  for (const held of [true, true])
    assert.deepEqual({ held: (await sweep()).held, kept: kept().length }, { held, kept: known.length + 11 })

  const agreement = join(petstore.imageDirectory, "sweep-anyway")
  writeFileSync(agreement, "")
  assert.deepEqual(
    { held: (await sweep()).held, kept: kept().length, hasAgreement: existsSync(agreement) },
    { held: false, kept: known.length, hasAgreement: false },
  )
  await orphans(11)
  assert.equal((await sweep()).held, true)
})
