// Runs beside two other files at most.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import { withoutCluster } from "../harness/cluster.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { freePort } from "../harness/free-port.ts"
import { makeImage } from "../harness/images.ts"
import { missingProgram } from "../harness/installed.ts"
import { startPostgres } from "../harness/postgres.ts"
import { startRedis } from "../harness/redis.ts"
import { missingS3, s3Credentials, startS3 } from "../harness/s3.ts"
import { asker } from "../harness/send.ts"
import { type Spawned, spawnPetstore } from "../harness/spawn.ts"
import { until } from "../harness/until.ts"
import { use } from "../harness/use.ts"

const shipped = readFileSync(join(import.meta.dirname, "..", "..", "deploy", "nginx.conf"), "utf8")
const skip = withoutCluster || missingProgram("nginx") || (await missingS3())
const replicaCount = 3

/** nginx with the configuration of deploy/; only addresses and directories are adapted to this machine. */
async function startNginx(ports: readonly number[]) {
  const directory = temporaryDirectory()
  const port = await freePort()
  const file = join(directory.path, "nginx.conf")
  const own = shipped
    .replace(/petstore-(\d):8080/g, (_, n) => `127.0.0.1:${ports[n - 1]}`)
    .replace("listen 8080;", `listen 127.0.0.1:${port};`)
    .replaceAll("/tmp/", `${directory.path}/`)
  writeFileSync(file, own)
  const child = spawn("nginx", ["-c", file, "-g", "daemon off;"], { stdio: "ignore" })
  const url = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(`${url}/livez`).catch(() => undefined))?.ok === true, "nginx did not start")
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM")
      await once(child, "close")
      directory[Symbol.dispose]()
    },
  }
}

async function startAll() {
  await using opened = new AsyncDisposableStack()
  const postgres = opened.use(await startPostgres({ durable: true }))
  const redis = opened.use(await startRedis())
  const s3 = opened.use(await startS3())
  const env = {
    ...s3Credentials,
    PETSTORE_DATABASE_URL: await postgres.createDatabase(),
    PETSTORE_REDIS_URL: redis.url,
    PETSTORE_BLOB_URL: `s3://${await s3.createBucket()}?endpoint=${s3.endpoint}`,
    PETSTORE_SECRET_KEY: randomBytes(32).toString("base64"),
    PETSTORE_TRUSTED_PROXIES: "127.0.0.1",
  }
  const ports = await Promise.all(Array.from({ length: replicaCount }, freePort))
  const replicas: Spawned[] = []
  for (const port of ports)
    replicas.push(opened.use(await spawnPetstore({ env: { ...env, PETSTORE_PORT: String(port) } })))
  const nginx = opened.use(await startNginx(ports))
  const kept = opened.move()
  return { postgres, s3, replicas, url: nginx.url, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

describe("deploy/nginx.conf", { skip }, () => {
  const all = use(startAll)
  const ask = asker(all)
  const read = async () => (await ask("/api/v3/pet/1")).status

  /** The statuses of sequential reads until one second after `other` has ended. */
  async function readsDuring(other: Promise<unknown>): Promise<number[]> {
    const statuses: number[] = []
    let endsAt = Number.POSITIVE_INFINITY
    void other.finally(() => {
      endsAt = performance.now() + 1_000
    })
    while (performance.now() < endsAt) statuses.push(await read())
    await other
    return statuses
  }

  test("while S3 does not respond, images return 503 and all other requests are served", async () => {
    const upload = await ask("/api/v3/pet/1/uploadImage", {
      method: "POST",
      headers: { "content-type": "image/png" },
      body: new Uint8Array(await makeImage("png")),
    })
    const { message } = (await upload.json()) as { message: string }
    const image = `/images/${/[0-9a-f]{64}/.exec(message)?.[0]}`
    assert.equal((await ask(image)).status, 200)

    all.s3.signal("SIGSTOP")
    const downloads = Promise.all(Array.from({ length: 30 }, async () => (await ask(image)).status))
    const statuses = await readsDuring(downloads)
    all.s3.signal("SIGCONT")
    assert.deepEqual(new Set(await downloads), new Set([503]))
    assert.ok(statuses.length > 100)
    assert.deepEqual(new Set(statuses), new Set([200]))
    await until(async () => (await ask(image)).status === 200, "images are not served again")
  })

  test("a client that requests a 503 gets it, without an effect on others", async () => {
    const requesting = async () => {
      for (let n = 0; n < 300; n++) {
        const response = await ask("/api/v3/pet/1", { headers: { prefer: "code=503" } })
        assert.equal(response.status, 503)
        assert.equal(response.headers.get("content-type"), "application/problem+json")
      }
    }
    const statuses = await readsDuring(requesting())
    assert.deepEqual(new Set(statuses), new Set([200]))
  })

  test("without PostgreSQL requests return the service's 503, requests that need no database are served, and all recover at once", async () => {
    await all.postgres.stop("immediate")
    for (let n = 0; n < 60; n++) {
      const [pet, description] = await Promise.all([ask("/api/v3/pet/1"), ask("/api/v3/openapi.json")])
      const { code, detail } = (await pet.json()) as { code: string; detail: string }
      assert.deepEqual(
        { status: pet.status, code, "retry-after": pet.headers.has("retry-after") },
        { status: 503, code: "unavailable", "retry-after": true },
      )
      assert.match(detail, /^Storage did not respond/)
      assert.equal(description.status, 200)
    }
    await all.postgres.start()
    const served = async () =>
      (await Promise.all(Array.from({ length: replicaCount * 3 }, read))).every((s) => s === 200)
    await until(served, "not all replicas serve again")
    for (let n = 0; n < 60; n++) assert.equal(await read(), 200)
  })

  test("the remaining replicas serve every read, and without any replica clients receive the service's problem", async () => {
    const [first, second, third] = all.replicas as [Spawned, Spawned, Spawned]
    for (const replica of [first, second]) {
      const statuses = readsDuring(replica.kill("SIGKILL"))
      assert.deepEqual(new Set(await statuses), new Set([200]))
    }
    const own = (await (await ask("/api/v3/pet/1", { headers: { prefer: "code=503" } })).json()) as object
    await third.kill("SIGKILL")

    const away = await ask('/api/v3/pet/1?name="', { headers: { "x-request-id": "sent-1" } })
    assert.equal(away.headers.get("content-type"), "application/problem+json")
    assert.match(away.headers.get("retry-after") ?? "", /^\d+$/)
    const { title, status, detail, instance, requestId, ...rest } = (await away.json()) as Record<string, unknown>
    assert.deepEqual(
      [away.status, title, status, instance, requestId],
      [...[503, "Unavailable", 503, "/api/v3/pet/1", "sent-1"]],
    )
    assert.equal(detail, "No replica responded. Nothing was changed.")
    assert.deepEqual(
      Object.keys({ ...rest, title, status, detail, instance, requestId }).sort(),
      Object.keys(own).sort(),
    )

    const order = await ask('/api/v3/"<é', { method: "POST", headers: { "x-request-id": 'a"b' }, body: "{}" })
    const problem = (await order.json()) as { detail: string; requestId: string }
    assert.match(problem.detail, /not known whether the change was made.* the same Idempotency-Key/)
    assert.match(problem.requestId, /^[0-9a-f]{32}$/)
    assert.equal(order.headers.get("x-request-id"), problem.requestId)

    await first.restart()
    await until(async () => (await read()) === 200, "nginx does not find the replica again")
  })
})
