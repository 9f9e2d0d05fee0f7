import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import sharp from "sharp"
import { sweepImages, unreferencedKeptMs } from "../../src/core/workers/sweep-images.ts"
import { formats, makeImage, moving, telltale, urlOf } from "../harness/images.ts"
import { refusedAs } from "../harness/petstore.ts"
import { rawConnection } from "../harness/raw-http.ts"
import { newPet } from "../harness/samples.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore({ env: { PETSTORE_PHOTOS_FREE: "1" } })
const store = petstore.as("special-key")

const upload = async (petId: number, bytes: Buffer, type = "application/octet-stream") =>
  urlOf(await store.uploadFile({ params: { petId }, upload: blobOf(bytes, type) }))
const blobOf = (bytes: Buffer, type = "") => new Blob([new Uint8Array(bytes)], { type })
const photosOf = async (petId: number) => (await store.getPetById({ params: { petId } })).value.photoUrls
const fetched = async (url: string) => {
  const response = await fetch(url)
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}
const staged = () => readdirSync(join(petstore.imageDirectory, "staged"))
const kept = () => readdirSync(join(petstore.imageDirectory, "kept"))

describe("uploading", () => {
  for (const format of formats)
    test(`a clean ${format} is stored bit for bit under its hash, and in two sizes`, async () => {
      const bytes = await makeImage(format, 400, 30)
      const petId = await newPet(store)
      const url = await upload(petId, bytes)
      assert.deepEqual(await photosOf(petId), [url])
      assert.deepEqual(await fetched(url), { status: 200, type: `image/${format}`, bytes })

      for (const [edge, width] of [
        [320, 320],
        [1280, 400],
      ]) {
        const size = await fetched(`${url}/${edge}`)
        const about = await sharp(size.bytes).metadata()
        assert.deepEqual(
          { status: size.status, type: size.type, format: about.format, width: about.width },
          { status: 200, type: "image/webp", format: "webp", width },
        )
      }
    })

  test("the three forms of a body, the description and the list of images", async () => {
    const petId = await newPet(store)
    const [a, b, c] = await Promise.all([1, 2, 3].map((seed) => makeImage("png", 8, 8, seed * 60)))
    const form = new FormData()
    form.set("additionalMetadata", "Bella at the lake 🐶")
    form.set("file", blobOf(a as Buffer), "other.txt")
    await store.uploadFile({ params: { petId }, upload: form })
    await store.uploadFile({ params: { petId }, upload: blobOf(b as Buffer, "image/jpeg") })
    await store.uploadFile({ params: { petId }, query: { additionalMetadata: "third" }, upload: blobOf(c as Buffer) })

    const { value: images } = await store.listPetImages({ params: { petId } })
    assert.deepEqual(
      images.map(({ url, description, type, width, frames }) => ({ url, description, type, width, frames })),
      (await photosOf(petId)).map((url, n) => ({
        url,
        description: ["Bella at the lake 🐶", undefined, "third"][n],
        type: "image/png",
        width: 8,
        frames: 1,
      })),
    )
  })

  test("an image uploaded twice is stored and appended once with the new description; each change emits an event", async () => {
    const petId = await newPet(store)
    const bytes = await makeImage("jpeg", 50, 50)
    const before = { kept: kept().length, last: (await petstore.store.events.after(0, 1000)).at(-1)?.id ?? 0 }
    const urls = await Promise.all([1, 2, 3, 4].map(() => upload(petId, bytes)))
    assert.equal(new Set(urls).size, 1)
    await store.uploadFile({ params: { petId }, query: { additionalMetadata: "new" }, upload: blobOf(bytes) })

    assert.deepEqual(await photosOf(petId), [urls[0]])
    assert.equal(kept().length, before.kept + 1)
    const events = (await petstore.store.events.after(before.last, 10)).map(({ json }) => JSON.parse(json))
    assert.deepEqual(
      events.map(({ event, data }) => [event, data.id]),
      [["pet.updated", petId]],
    )
    assert.equal((await store.listPetImages({ params: { petId } })).value[0]?.description, "new")
  })

  test("concurrent uploads to one pet are all appended", async () => {
    const petId = await newPet(store)
    const bytes = await Promise.all(Array.from({ length: 8 }, (_, n) => makeImage("png", 9, 9, n * 30)))
    const urls = await Promise.all(bytes.map((each) => upload(petId, each)))
    assert.deepEqual((await photosOf(petId)).toSorted(), urls.toSorted())
  })

  test("a pet has at most 50 images; a further upload is refused before the body is read", async () => {
    const petId = await newPet(store, { photoUrls: Array.from({ length: 50 }, (_, n) => `url${n}`) })
    await assert.rejects(upload(petId, await makeImage("png", 7, 7)), refusedAs("too-many-photos"))
    assert.equal((await photosOf(petId)).length, 50)
  })

  test("an account has sixteen uploads under way, and others theirs", async () => {
    using connections = new DisposableStack()
    const begin = async (key: string) => {
      const connection = connections.use(await rawConnection(petstore.url))
      const head = `POST /api/v3/pet/1/uploadImage HTTP/1.1\r\nHost: x\r\napi_key: ${key}\r\nContent-Type: image/png`
      connection.send(`${head}\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`)
      return await connection.response()
    }
    for (let n = 0; n < 16; n++) assert.equal((await begin("special-key")).status, 100)
    const { status, headers, body } = await begin("special-key")
    assert.deepEqual([status, headers.get("retry-after")], [503, "5"])
    assert.match(body, /Too many uploads of this account at once/)
    assert.equal((await begin("pro-key")).status, 100)
  })

  test("an account stores as many bytes as its plan allows, and no more (slow)", async () => {
    const petId = await newPet(store)
    const free = petstore.as("free-key")
    const uploadMade = async (seed: number) =>
      free.uploadFile({ params: { petId }, upload: blobOf(await makeImage("png", 400, 400, seed)) })
    await uploadMade(10)
    const refused = await Promise.allSettled([20, 30, 40, 50].map(uploadMade))
    const reasons = refused.flatMap((each) => (each.status === "rejected" ? [each.reason] : []))
    assert.ok(reasons.length >= 2 && reasons.every(refusedAs("image-quota-exceeded")))
    assert.equal((await photosOf(petId)).length, 5 - reasons.length)
  })
})

describe("a stored image", () => {
  for (const format of ["jpeg", "png", "webp", "avif"] as const)
    test(`GPS position, artist and XMP of a ${format} are removed, and it is upright`, async () => {
      const sent = await telltale(format)
      const said = await sharp(sent).metadata()
      assert.ok(said.exif?.includes("SECRET-ARTIST") && said.xmp?.includes("SECRET-XMP"))
      const url = await upload(await newPet(store), sent)
      for (const address of [url, `${url}/320`, `${url}/1280`]) {
        const { bytes } = await fetched(address)
        const { exif, xmp, orientation = 1 } = await sharp(bytes).metadata()
        assert.ok([...(exif?.subarray(6) ?? []), ...(xmp ?? [])].every((byte) => byte === 0))
        assert.equal(orientation, 1)
        for (const secret of ["SECRET-ARTIST", "SECRET-XMP", "xmpmeta"]) assert.ok(!bytes.includes(secret), secret)
        const { data, info } = await sharp(bytes).autoOrient().removeAlpha().raw().toBuffer({ resolveWithObject: true })
        assert.deepEqual({ width: info.width, height: info.height }, { width: 40, height: 80 })
        const middleOf = (row: number) => [...data.subarray((row * 40 + 20) * info.channels).subarray(0, 3)]
        const [top, bottom] = [middleOf(20), middleOf(60)] as [number[], number[]]
        assert.ok((top[0] as number) > 200 && (bottom[2] as number) > 200, `${top} above ${bottom}`)
      }
    })

  for (const format of ["gif", "webp"] as const)
    test(`an animated ${format} stays animated, in every size`, async () => {
      const url = await upload(await newPet(store), await moving(format))
      for (const address of [url, `${url}/320`, `${url}/1280`]) {
        const about = await sharp((await fetched(address)).bytes, { animated: true }).metadata()
        assert.deepEqual(
          { pages: about.pages, delay: about.delay, loop: about.loop },
          { pages: 5, delay: [80, 80, 80, 80, 80], loop: 3 },
        )
      }
    })
})

describe("removing images", () => {
  const sweep = () => sweepImages(petstore.store, petstore.blobs, petstore.clock.now())

  test("an image is removed from its pet, refused a second time, and served until a day later", async () => {
    const petId = await newPet(store, { photoUrls: ["other"] })
    const url = await upload(petId, await makeImage("png", 33, 33))
    const sha256 = url.split("/").at(-1) as string
    await store.deletePetImage({ params: { petId, sha256 } })
    assert.deepEqual(await photosOf(petId), ["other"])
    await assert.rejects(store.deletePetImage({ params: { petId, sha256 } }), refusedAs("image-not-found"))

    await sweep()
    petstore.clock.advance(unreferencedKeptMs)
    await sweep()
    assert.equal((await fetched(url)).status, 200)
    petstore.clock.advance(1)
    await sweep()
    assert.equal((await fetched(url)).status, 404)
  })

  const ways: Record<string, (petId: number) => Promise<unknown>> = {
    "deleting the pet": (petId) => store.deletePet({ params: { petId } }),
    "replacing its photoUrls": (id) => store.updatePet({ body: { id, name: "p", photoUrls: ["url1"] } }),
    "patching its photoUrls": (petId) => store.patchPet({ params: { petId }, body: { photoUrls: [] } }),
  }
  for (const [way, letGo] of Object.entries(ways))
    test(`${way} releases an image, but not one that another pet refers to`, async () => {
      const [mine, shared] = await Promise.all(
        [way.length, way.length + 100].map((seed) => makeImage("png", 21, 21, seed)),
      )
      const [petId, other] = [await newPet(store), await newPet(store)]
      const [gone, stays] = [await upload(petId, mine as Buffer), await upload(petId, shared as Buffer)]
      await store.patchPet({ params: { petId: other }, body: { photoUrls: [stays] } })
      await letGo(petId)

      for (const ms of [0, unreferencedKeptMs + 1, unreferencedKeptMs]) {
        petstore.clock.advance(ms)
        await sweep()
      }
      assert.deepEqual(
        { gone: (await fetched(gone)).status, stays: (await fetched(stays)).status },
        { gone: 404, stays: 200 },
      )
    })

  test("an image uploaded again before it is deleted stays", async () => {
    const bytes = await makeImage("png", 22, 22)
    const [first, second] = [await newPet(store), await newPet(store)]
    const url = await upload(first, bytes)
    await store.deletePet({ params: { petId: first } })
    await sweep()
    petstore.clock.advance(unreferencedKeptMs + 1)
    await upload(second, bytes)
    await sweep()
    assert.equal((await fetched(url)).status, 200)
  })
})

test("no temporary file remains", () => assert.deepEqual(staged(), []))
