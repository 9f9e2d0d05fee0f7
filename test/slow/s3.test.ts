import assert from "node:assert/strict"
import { randomBytes } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { describe, test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { Refused } from "../../src/client/client.ts"
import { type ImagePart, imageParts, perPart } from "../../src/core/domain/images/contract.ts"
import type { BlobStore } from "../../src/core/domain/ports/blobs.ts"
import { StoreUnavailable } from "../../src/core/domain/ports/store.ts"
import { CannotStart } from "../../src/core/kernel/cannot-start.ts"
import { openS3Blobs } from "../../src/parts/replicas/s3/blobs.ts"
import { s3Timeouts } from "../../src/parts/replicas/s3/request.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { type Fate, startFaultyProxy } from "../harness/faulty-proxy.ts"
import { makeImage, urlOf } from "../harness/images.ts"
import { startPetstore } from "../harness/petstore.ts"
import { missingS3, s3Place, startS3 } from "../harness/s3.ts"
import { until } from "../harness/until.ts"
import { before, use, usePetstore } from "../harness/use.ts"

const timeouts = { ...s3Timeouts, responseMs: 2000, uploadMs: 10_000, totalMs: 5000, pauseMs: 1000 }
const mebibyte = 1024 * 1024

describe("S3 that fails", { skip: await missingS3() }, () => {
  const server = use(startS3)
  const opened = use(async () => {
    const stack = new AsyncDisposableStack()
    const proxy = stack.use(await startFaultyProxy(server.endpoint))
    const place = stack.use(s3Place(await server.createBucket(), proxy.url))
    const blobs = await openS3Blobs(place, timeouts)
    return { proxy, place, blobs, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  }, "one for each test")

  async function keep(blobs: BlobStore, bytes: Buffer, at = 1000): Promise<string> {
    await using stage = await blobs.stage(at)
    const write = (part: string) => stage.write(part, once(bytes))
    const [original, small, large] = await Promise.all([write("original"), write("320"), write("1280")])
    return await blobs.keep({ original, "320": small, "1280": large }, at)
  }
  const once = async function* (bytes: Buffer) {
    yield bytes
  }
  const all = { start: 0, end: 1024 * mebibyte }
  const bytesOf = async (blobs: BlobStore, key: string, part: ImagePart = "original") =>
    Buffer.concat(await Array.fromAsync((await blobs.read(key, part, all)) ?? []))
  const allKept = (blobs: BlobStore) => Array.fromAsync(blobs.keptBefore(Number.POSITIVE_INFINITY))
  /** Applies this fate to the first matching requests; others pass. */
  const first = (count: number, fate: Fate, matches: (request: IncomingMessage) => boolean) => {
    let left = count
    return (request: IncomingMessage): Fate => (matches(request) && left-- > 0 ? fate : "passed")
  }
  const isUpload = ({ method, headers }: IncomingMessage) => method === "PUT" && !headers["x-amz-copy-source"]
  const isDownload = ({ method, url = "" }: IncomingMessage) => method === "GET" && url.includes("/kept/")

  for (const fate of ["busy", "reset"] as const)
    test(`an upload that is ${fate} is retried; one that always fails leaves nothing`, async () => {
      const { proxy, blobs } = opened
      const bytes = randomBytes(3 * mebibyte)
      proxy.decideWith(first(2, fate, isUpload))
      assert.deepEqual(await bytesOf(blobs, await keep(blobs, bytes)), bytes)

      proxy.decideWith((request) => (isUpload(request) && request.url?.includes("/320") ? fate : "passed"))
      const before = await allKept(blobs)
      await assert.rejects(keep(blobs, bytes), StoreUnavailable)
      assert.deepEqual(await allKept(blobs), before)
    })

  test("a download from a busy S3 is retried, and fails within the timeout", async () => {
    const { proxy, blobs } = opened
    const key = await keep(blobs, Buffer.from("image"))
    proxy.decideWith(first(2, "busy", isDownload))
    assert.equal((await bytesOf(blobs, key)).toString(), "image")
    for (const fate of ["busy", "unanswered", "reset", "refused"] as const) {
      proxy.decideWith(() => fate)
      const from = performance.now()
      await assert.rejects(bytesOf(blobs, key), StoreUnavailable, fate)
      assert.ok(performance.now() - from < timeouts.totalMs + 2000, fate)
    }
  })

  test("every operation without S3 fails with StoreUnavailable, and works again without a restart", async () => {
    const { proxy, blobs } = opened
    const key = await keep(blobs, Buffer.from("image"))
    await proxy.close()
    const operations: Record<string, () => Promise<unknown>> = {
      keep: () => keep(blobs, Buffer.from("x")),
      read: () => bytesOf(blobs, key),
      remove: () => blobs.remove(key),
      trash: () => blobs.trash(key, 0),
      restore: () => blobs.restore(key),
      trashed: () => Array.fromAsync(blobs.trashed()),
      emptyTrash: () => blobs.emptyTrash(0),
      mayTrashMany: () => blobs.mayTrashMany(),
      owner: () => blobs.owner(),
      claim: () => blobs.claim("x"),
      keptBefore: () => allKept(blobs),
    }
    for (const [name, call] of Object.entries(operations)) await assert.rejects(call(), StoreUnavailable, name)
    await proxy.reopen()
    assert.equal((await bytesOf(blobs, key)).toString(), "image")
  })

  test("truncated bytes are an error and never a shorter image", async () => {
    const { proxy, blobs } = opened
    const key = await keep(blobs, randomBytes(mebibyte))
    proxy.decideWith(first(1, "truncated", isDownload))
    await assert.rejects(bytesOf(blobs, key), StoreUnavailable)
    assert.equal((await bytesOf(blobs, key)).length, mebibyte)
  })

  test("readers that stop early, or never start, release their connections", async () => {
    const { proxy, blobs } = opened
    const key = await keep(blobs, randomBytes(4 * mebibyte))
    for (let round = 0; round < 8; round++)
      await Promise.all(
        Array.from({ length: 10 }, async (_, n) => {
          const bytes = (await blobs.read(key, "original", all)) as AsyncIterable<Uint8Array>
          const reader = bytes[Symbol.asyncIterator]()
          if (n % 2) await reader.next()
          await reader.return?.()
        }),
      )
    assert.equal((await bytesOf(blobs, key)).length, 4 * mebibyte)
    while (proxy.openCount() > 0) await pause(20)
  })

  test("reading a body may take longer than the timeout for a response", async () => {
    const { blobs } = opened
    const key = await keep(blobs, randomBytes(8 * mebibyte))
    let count = 0
    for await (const chunk of (await blobs.read(key, "original", all)) ?? []) {
      if (count === 0) await pause(timeouts.totalMs + 500)
      count += chunk.length
    }
    assert.equal(count, 8 * mebibyte)
  })

  test("an image larger than the available memory is uploaded and downloaded", async () => {
    const { blobs } = opened
    const size = 128 * mebibyte
    const piece = randomBytes(mebibyte)
    async function* pieces() {
      for (let sent = 0; sent < size; sent += mebibyte) yield piece
    }
    await using stage = await blobs.stage(1)
    const file = await stage.write("large", pieces())
    const small = await stage.write("small", once(Buffer.from("x")))
    const from = process.memoryUsage().rss
    let peak = 0
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss - from)
    }, 20)
    const key = await blobs.keep({ ...perPart(() => small), original: file }, 1)
    let count = 0
    for await (const { length } of (await blobs.read(key, "original", all)) ?? []) count += length
    clearInterval(timer)
    assert.equal(count, size)
    assert.ok(peak < 96 * mebibyte, `${Math.round(peak / mebibyte)} MiB more`)
  })

  test("a replica killed after any step to the trash or back loses no bytes", async () => {
    const { proxy, place, blobs } = opened
    const isChange = ({ method }: IncomingMessage) => method !== "GET" && method !== "HEAD"
    for (const action of ["trash", "restore", "read"] as const)
      for (let steps = 0; steps < 8; steps += 2) {
        const key = await keep(blobs, Buffer.from("image"))
        if (action !== "trash") await blobs.trash(key, 1)
        let left = steps
        proxy.decideWith((request) => (isChange(request) && left-- <= 0 ? "refused" : "passed"))
        const killed =
          action === "trash" ? blobs.trash(key, 1) : action === "read" ? bytesOf(blobs, key) : blobs.restore(key)
        await Promise.allSettled([killed])
        proxy.decideWith(() => "passed")

        const next = await openS3Blobs(place, timeouts)
        await next.restore(key)
        for (const part of imageParts) assert.equal((await bytesOf(next, key, part)).toString(), "image")
        assert.ok((await allKept(next)).includes(key), `${action} killed after ${steps} steps`)
        assert.ok(!(await Array.fromAsync(next.trashed())).includes(key))
      }
  })

  test("a replica that trashes while others restore and read loses nothing, in any interleaving", async () => {
    const { blobs, place } = opened
    const other = await openS3Blobs(place, timeouts)
    for (let round = 0; round < 6; round++) {
      const key = await keep(blobs, Buffer.from("image"))
      await Promise.all([
        blobs.trash(key, 1),
        other.restore(key),
        bytesOf(other, key),
        blobs.restore(key),
        other.trash(key, 1),
      ])
      await other.restore(key)
      for (const part of imageParts) assert.equal((await bytesOf(other, key, part)).toString(), "image")
      assert.ok((await allKept(blobs)).includes(key))
    }
  })

  test("of two databases that claim a bucket concurrently one succeeds; both replicas of one database do", async () => {
    const { blobs, place } = opened
    const other = await openS3Blobs(place, timeouts)
    const claims = await Promise.allSettled([blobs.claim("one"), other.claim("another")])
    assert.deepEqual(claims.map(({ status }) => status).sort(), ["fulfilled", "rejected"])
    const owner = (await blobs.owner()) as string
    assert.equal(owner, claims[0].status === "fulfilled" ? "one" : "another")
    await Promise.all([blobs.claim(owner), other.claim(owner)])
  })

  test("lists continue after their first page, without images in the trash", async () => {
    const { blobs, place } = opened
    const keys = Array.from({ length: 1010 }, (_, n) => `${n.toString(16).padStart(11, "0")}-${"0".repeat(32)}`)
    const put = (name: string) =>
      fetch(`${server.endpoint}/${place.bucket}/${name}`, { method: "PUT", body: "x" }).then(({ ok }) => assert.ok(ok))
    const isTrashed = (_: string, n: number) => n % 10 === 1
    for (let from = 0; from < keys.length; from += 100)
      await Promise.all(
        keys
          .slice(from, from + 100)
          .flatMap((key, n) => [
            put(`kept/${key}/original`),
            ...(isTrashed(key, n) ? [put(`trash/${key}/2026-01-01`)] : []),
          ]),
      )
    assert.deepEqual(
      await allKept(blobs),
      keys.filter((key, n) => !isTrashed(key, n)),
    )
    assert.deepEqual(await Array.fromAsync(blobs.trashed()), keys.filter(isTrashed))
    assert.deepEqual(
      await Array.fromAsync(blobs.keptBefore(700)),
      keys.slice(0, 700).filter((key, n) => !isTrashed(key, n)),
    )
  })
})

describe("a service whose S3 fails", { skip: await missingS3() }, () => {
  const server = use(startS3)
  const proxy = use(() => startFaultyProxy(server.endpoint))
  let env: Record<string, string> = {}
  before(async () => {
    env = { PETSTORE_BLOB_URL: `s3://${await server.createBucket()}?endpoint=${proxy.url}` }
  })
  const petstore = usePetstore(() => ({ env }))
  const upload = async (bytes: Buffer) =>
    petstore.as("special-key").uploadFile({ params: { petId: 2 }, upload: new Blob([new Uint8Array(bytes)]) })
  const imageUrl = async () => {
    const { value } = await petstore.as("special-key").getPetById({ params: { petId: 1 } })
    return new URL(value.photoUrls[0] ?? "", petstore.url).href
  }

  for (const fate of ["unanswered", "busy", "reset", "refused"] as const)
    test(`while S3 is ${fate} images return 503 with Retry-After, and everything else is served`, async () => {
      const url = await imageUrl()
      const before = (await petstore.as("special-key").getPetById({ params: { petId: 2 } })).value
      const image = await makeImage("png", 50, 50, fate.length * 20)
      proxy.decideWith(() => fate)
      const [download, uploaded] = await Promise.allSettled([fetch(url), upload(image)])
      const response = download.status === "fulfilled" ? download.value : assert.fail()
      assert.deepEqual(
        { status: response.status, "retry-after": response.headers.get("retry-after") },
        { status: 503, "retry-after": "5" },
      )
      assert.ok(uploaded.status === "rejected" && uploaded.reason.problem.status === 503)
      assert.deepEqual((await petstore.as("special-key").getPetById({ params: { petId: 2 } })).value, before)

      proxy.decideWith(() => "passed")
      assert.equal((await fetch(url)).status, 200)
      await upload(image)
    })
})

test("a bucket that does not exist, or is not accessible, prevents the start with that reason", {
  skip: await missingS3(),
}, async () => {
  await using server = await startS3()
  using absent = s3Place("no-such-bucket", server.endpoint)
  const cannotStartWith = (message: RegExp) => (error: unknown) =>
    error instanceof CannotStart && message.test(error.message)
  await assert.rejects(openS3Blobs(absent), cannotStartWith(/the bucket no-such-bucket: S3 refused \(404/))
  await using proxy = await startFaultyProxy(server.endpoint)
  proxy.decideWith(() => "refused")
  using refused = s3Place(await server.createBucket(), proxy.url)
  await assert.rejects(openS3Blobs(refused), cannotStartWith(/S3 refused \(403/))
})

describe("a service that starts while S3 is away", { skip: await missingS3() }, () => {
  const server = use(startS3)
  const waits = { imagePace: { waitMs: 1_000, againMs: 50 } }

  /** A data directory that a service has used with a bucket behind a proxy, and how to start the service there again. */
  async function installed() {
    const stack = new AsyncDisposableStack()
    const directory = stack.use(temporaryDirectory())
    const proxy = stack.use(await startFaultyProxy(server.endpoint))
    const start = (bucket: string) =>
      startPetstore({
        ...waits,
        env: { PETSTORE_DATA_DIR: directory.path, PETSTORE_BLOB_URL: `s3://${bucket}?endpoint=${proxy.url}` },
      })
    const bucket = await server.createBucket()
    await (await start(bucket))[Symbol.asyncDispose]()
    return { proxy, bucket, start, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  }
  const ready = async ({ url }: { url: string }) => {
    const response = await fetch(`${url}/readyz`)
    return { status: response.status, ...((await response.json()) as object) }
  }
  const degraded = { status: "ready", degraded: ["images"] }
  const upload = async ({ as }: Pick<Awaited<ReturnType<typeof startPetstore>>, "as">) =>
    as("special-key").uploadFile({ params: { petId: 1 }, upload: new Blob([new Uint8Array(await makeImage("png"))]) })

  for (const fate of ["closed", "busy", "reset", "unanswered"] as const)
    test(`that is ${fate}: everything except images works, and images too once S3 is back`, async () => {
      await using installation = await installed()
      const { proxy, bucket, start } = installation
      if (fate === "closed") await proxy.close()
      else proxy.decideWith(() => fate)
      await using petstore = await start(bucket)
      assert.deepEqual(await ready(petstore), degraded)
      assert.equal((await petstore.as("special-key").getPetById({ params: { petId: 1 } })).value.id, 1)
      await assert.rejects(upload(petstore), (error) => error instanceof Refused && error.status === 503)
      assert.ok(petstore.lines.some((line) => line.includes("images are unavailable")))

      if (fate === "closed") await proxy.reopen()
      else proxy.decideWith(() => "passed")
      await until(async () => !("degraded" in (await ready(petstore))), "images do not recover")
      const url = urlOf(await upload(petstore))
      assert.equal((await fetch(url)).status, 200)
      assert.ok(petstore.lines.some((line) => line.includes("images are available again")))
    })

  test("a service that is running is degraded while S3 is away, and recovers without a request for an image", async () => {
    await using installation = await installed()
    const { proxy, bucket, start } = installation
    await using petstore = await start(bucket)
    assert.ok(!("degraded" in (await ready(petstore))))
    await proxy.close()
    await assert.rejects(upload(petstore))
    assert.deepEqual(await ready(petstore), degraded)
    await proxy.reopen()
    await until(async () => !("degraded" in (await ready(petstore))), "images do not recover")
  })

  test("a bucket that turns out to belong to another database stays unchanged, and the log says why", async () => {
    await using installation = await installed()
    await using other = await installed()
    const { proxy, start } = installation
    await proxy.close()
    await using petstore = await start(other.bucket)
    const before = await objectsIn(other.bucket)
    await proxy.reopen()
    await until(() => petstore.lines.some((line) => line.includes("belong to another database")), "not reported")
    await assert.rejects(upload(petstore), (error) => error instanceof Refused && error.status === 503)
    assert.deepEqual(await ready(petstore), degraded)
    assert.deepEqual(await objectsIn(other.bucket), before)
    await assert.rejects(start(other.bucket), CannotStart)
  })

  test("a bucket that does not exist, or is not accessible, prevents the start", async () => {
    await using installation = await installed()
    const { proxy, bucket, start } = installation
    await assert.rejects(start("no-such-bucket"), CannotStart)
    proxy.decideWith(() => "refused")
    await assert.rejects(start(bucket), CannotStart)
  })

  const objectsIn = async (bucket: string) =>
    [...(await (await fetch(`${server.endpoint}/${bucket}`)).text()).matchAll(/<Key>([^<]+)/g)].map(([, key]) => key)
})
