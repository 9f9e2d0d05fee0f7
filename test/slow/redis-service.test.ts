// Runs beside two other files at most.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { startPetstore } from "../harness/petstore.ts"
import { startRedis, withoutRedis } from "../harness/redis.ts"
import { runPetstore } from "../harness/spawn.ts"
import { until } from "../harness/until.ts"

/** The timeout for a reply of Redis, with allowance for a busy machine. */
const replyMsMax = 3_000

type Petstore = Awaited<ReturnType<typeof startPetstore>>

const readiness = async ({ url }: Petstore) => {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, body: (await response.json()) as { status: string; degraded?: string[] } }
}

const warnings = ({ lines }: Petstore) =>
  lines.map((line) => JSON.parse(line)).filter(({ level, msg }) => level === 40 && /^Redis/.test(msg))

/** Sends reads with a limited key from eight clients; the returned function stops and resolves with the statuses and the slowest time. */
function load({ url }: Petstore) {
  const stopped = new AbortController()
  const statuses = new Set<number>()
  let slowestMs = 0
  const sendRequests = async () => {
    while (!stopped.signal.aborted) {
      const startedAt = performance.now()
      const response = await fetch(`${url}/api/v3/pet/1`, { headers: { api_key: "pro-key" } })
      await response.arrayBuffer()
      statuses.add(response.status)
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      await sleep(10)
    }
  }
  const sending = Promise.all(Array.from({ length: 8 }, sendRequests))
  return async () => {
    stopped.abort()
    await sending
    return { statuses: [...statuses], slowestMs }
  }
}

describe("a service with a Redis", { skip: withoutRedis }, () => {
  test("serves while Redis is killed, suspended and restarted, without a 500 or a hanging request, and logs one warning per change", async () => {
    await using redis = await startRedis()
    await using petstore = await startPetstore({
      env: { PETSTORE_REDIS_URL: redis.url, PETSTORE_PLAN_PRO: "60000/minute, 1000000/day" },
    })
    const isDegraded = async () => (await readiness(petstore)).body.degraded !== undefined
    assert.deepEqual(await readiness(petstore), { status: 200, body: { status: "ready" } })
    const stop = load(petstore)

    for (const [signal, resume] of [
      ["SIGKILL", () => redis.restart()],
      ["SIGSTOP", () => redis.kill("SIGCONT")],
    ] as const) {
      await sleep(300)
      await redis.kill(signal)
      await until(isDegraded, "readiness does not report that Redis is away")
      assert.deepEqual(await readiness(petstore), { status: 200, body: { status: "ready", degraded: ["redis"] } })
      await sleep(1_000)
      await resume()
      await until(async () => !(await isDegraded()), "Redis is not used again")
    }

    const { statuses, slowestMs } = await stop()
    assert.deepEqual(statuses, [200])
    assert.ok(slowestMs < replyMsMax, `a request took ${slowestMs} ms`)
    const reported = warnings(petstore).map(({ msg }) => /unavailable|available/.exec(msg)?.[0])
    assert.deepEqual(
      reported,
      reported.map((_, n) => (n % 2 === 0 ? "unavailable" : "available")),
    )
    assert.ok(reported.length >= 4)
  })

  test("starts without Redis, reports it, and uses Redis as soon as it is available", async () => {
    await using redis = await startRedis()
    await redis.kill("SIGKILL")
    await using petstore = await startPetstore({ env: { PETSTORE_REDIS_URL: redis.url } })
    assert.equal((await petstore.as("free-key").getPetById({ params: { petId: 1 } })).value.id, 1)
    assert.deepEqual(await readiness(petstore), { status: 200, body: { status: "ready", degraded: ["redis"] } })
    assert.equal(warnings(petstore).length, 1)
    await redis.restart()
    await until(async () => (await readiness(petstore)).body.degraded === undefined, "Redis is not used")
    assert.equal(warnings(petstore).length, 2)
  })

  test("does not start when Redis refuses its password, and does not log the password", async () => {
    await using redis = await startRedis(["--requirepass", "right"], "right")
    const url = redis.url.replace("right", "wrong-one")
    const { code, stderr, stdout } = await runPetstore({ env: { PETSTORE_REDIS_URL: url } })
    assert.notEqual(code, 0)
    assert.match(stderr + stdout, /Redis refuses PETSTORE_REDIS_URL: WRONGPASS/)
    assert.doesNotMatch(stderr + stdout, /wrong-one/)
  })
})
