import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { describe, test } from "node:test"
import { sweepImages, unreferencedKeptMs } from "../../src/core/workers/sweep-images.ts"
import { openS3Blobs } from "../../src/parts/replicas/s3/blobs.ts"
import { signedIn } from "../harness/console.ts"
import { makeImage, urlOf } from "../harness/images.ts"
import { missingS3, s3Credentials, s3Place, startS3 } from "../harness/s3.ts"
import { before, use, usePetstore } from "../harness/use.ts"

describe("a service with images in S3", { skip: await missingS3() }, () => {
  const server = use(startS3)
  let env: Record<string, string>
  before(async () => {
    env = { PETSTORE_BLOB_URL: `s3://${await server.createBucket()}/images?endpoint=${server.endpoint}` }
  })
  const streaming = usePetstore(() => ({ env }))
  let redirectingEnv: Record<string, string>
  before(async () => {
    const bucket = await server.createBucket()
    const PETSTORE_BLOB_URL = `s3://${bucket}?endpoint=${server.endpoint}`
    redirectingEnv = { PETSTORE_BLOB_URL, PETSTORE_BLOB_DOWNLOADS: "redirect" }
  })
  const redirecting = usePetstore(() => ({ env: redirectingEnv }))

  type Petstore = typeof streaming
  async function upload({ as }: Petstore, bytes: Buffer, petId = 1): Promise<string> {
    const upload = new Blob([new Uint8Array(bytes)])
    return urlOf(await as("special-key").uploadFile({ params: { petId }, upload }))
  }
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

  test("an image is served as uploaded, whole, in ranges, and with 304 to clients that have it", async () => {
    const image = await makeImage("png", 300, 200)
    const url = await upload(streaming, image)
    const whole = await fetch(url)
    assert.deepEqual(await bytesOf(whole), image)
    const etag = whole.headers.get("etag") as string
    assert.deepEqual(
      { status: whole.status, "content-type": whole.headers.get("content-type") },
      { status: 200, "content-type": "image/png" },
    )
    assert.match(whole.headers.get("cache-control") as string, /immutable/)

    const part = await fetch(url, { headers: { range: "bytes=10-19" } })
    assert.deepEqual(
      { status: part.status, bytesOf: await bytesOf(part) },
      { status: 206, bytesOf: image.subarray(10, 20) },
    )
    assert.equal((await fetch(url, { headers: { "if-none-match": etag } })).status, 304)
    const head = await fetch(url, { method: "HEAD" })
    assert.deepEqual(
      { status: head.status, "content-length": head.headers.get("content-length") },
      { status: 200, "content-length": String(image.length) },
    )
    assert.equal((await fetch(`${url}/320`)).headers.get("content-type"), "image/webp")
  })

  test("a redirect leads to the same bytes for a few minutes, and reveals no secret", async () => {
    const image = await makeImage("png", 300, 200)
    const url = await upload(redirecting, image)
    const redirect = await fetch(url, { redirect: "manual" })
    assert.deepEqual(
      { status: redirect.status, "cache-control": redirect.headers.get("cache-control") },
      { status: 307, "cache-control": "public, max-age=60" },
    )
    const location = new URL(redirect.headers.get("location") as string)
    assert.ok(Number(location.searchParams.get("X-Amz-Expires")) <= 600)
    assert.ok(!location.href.includes(s3Credentials.AWS_SECRET_ACCESS_KEY))

    const followed = await fetch(url, { headers: { range: "bytes=10-19" } })
    assert.deepEqual(
      { status: followed.status, bytesOf: await bytesOf(followed) },
      { status: 206, bytesOf: image.subarray(10, 20) },
    )
    assert.equal(followed.headers.get("content-type"), "image/png")
    const head = await fetch(url, { method: "HEAD", redirect: "manual" })
    assert.deepEqual(
      { status: head.status, "content-length": head.headers.get("content-length") },
      { status: 200, "content-length": String(image.length) },
    )
    const { etag } = Object.fromEntries(head.headers)
    const known = await fetch(url, { headers: { "if-none-match": etag as string }, redirect: "manual" })
    assert.equal(known.status, 304)
    assert.equal((await fetch(`${redirecting.url}/images/${"0".repeat(64)}`, { redirect: "manual" })).status, 404)
  })

  test("pages may load images from the origin of redirects and their own, and from no other", async () => {
    const location = async (petstore: Petstore) => {
      const url = await upload(petstore, await makeImage("png", 300, 200))
      return (await fetch(url, { redirect: "manual" })).headers.get("location")
    }
    const { origin } = new URL((await location(redirecting)) as string)
    assert.equal(await location(streaming), null)
    for (const [petstore, sources] of [
      [redirecting, `'self' ${origin}`],
      [streaming, "'self'"],
    ] as const) {
      const person = await signedIn(petstore, "customer")
      for (const path of ["/console/pets", "/", "/pets/1"]) {
        const policy = (await person.go(path)).headers.get("content-security-policy") ?? ""
        assert.equal(/img-src ([^;]+)/.exec(policy)?.[1], sources, path)
      }
      assert.match(
        (await fetch(`${petstore.url}/problems`)).headers.get("content-security-policy") ?? "",
        /img-src 'self';/,
      )
    }
  })

  test("an image is deleted a day after its last pet stopped referring to it, and no sooner", async () => {
    const { value: pet } = await streaming.as("special-key").addPet({ body: { name: "p", photoUrls: [] } })
    const url = await upload(streaming, await makeImage("png", 30, 30), pet.id)
    await streaming.as("special-key").deletePet({ params: { petId: pet.id } })
    const sweep = () => sweepImages(streaming.store, streaming.blobs, streaming.clock.now())
    const statuses: number[] = []
    for (const ms of [0, unreferencedKeptMs, 1]) {
      streaming.clock.advance(ms)
      await sweep()
      statuses.push((await fetch(url)).status)
    }
    assert.deepEqual(statuses, [200, 200, 404])
  })

  test("a start deletes stages that a killed process left an hour ago, and nothing newer", async () => {
    using place = s3Place(await server.createBucket(), server.endpoint)
    const before = await openS3Blobs(place)
    const hourMs = 60 * 60 * 1000
    const [left, fresh] = [await before.stage(Date.now() - hourMs - 1), await before.stage(Date.now() - hourMs / 2)]
    await openS3Blobs(place)
    assert.deepEqual({ left: existsSync(left.path), fresh: existsSync(fresh.path) }, { left: false, fresh: true })
  })

  test("concurrent sweeps of two replicas trash, restore and delete what one would", async () => {
    const { store, blobs, clock } = streaming
    const known = await Array.fromAsync(blobs.keptBefore(Number.POSITIVE_INFINITY))
    const [precious] = known as [string]
    await blobs.trash(precious, clock.now())
    await using stage = await blobs.stage(clock.now())
    const path = await stage.write(
      "file",
      (async function* () {
        yield Buffer.from("x")
      })(),
    )
    const orphan = await blobs.keep({ original: path, "320": path, "1280": path }, clock.now())
    clock.advance(2 * 60 * 60 * 1000)

    await Promise.all([1, 2, 3].map(() => sweepImages(store, blobs, clock.now())))
    assert.deepEqual(await Array.fromAsync(blobs.keptBefore(Number.POSITIVE_INFINITY)), known)
    assert.ok((await Array.fromAsync(blobs.trashed())).every((key) => key === orphan))
    const back = await blobs.read(precious, "320", { start: 0, end: 0 })
    assert.equal((await Array.fromAsync(back ?? [])).length, 1)
  })
})
