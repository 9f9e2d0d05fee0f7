// Runs beside two other files at most.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { describe, test } from "node:test"
import { startRedis, withoutRedis } from "../harness/redis.ts"
import { type Spawned, spawnPetstore } from "../harness/spawn.ts"
import { until } from "../harness/until.ts"

const env = { PETSTORE_TRUSTED_PROXIES: "127.0.0.1" }
const right = { username: "user1", password: "password1" }

async function logIn({ url }: Spawned, address: string, body: object = right): Promise<{ status: number; ms: number }> {
  const began = performance.now()
  const headers = { "content-type": "application/json", "x-forwarded-for": address }
  const response = await fetch(`${url}/api/v3/user/login`, { method: "POST", headers, body: JSON.stringify(body) })
  await response.bytes()
  return { status: response.status, ms: performance.now() - began }
}

/** Guesses a password concurrently from this number of addresses, at the replicas in turn; collects the statuses so far. */
function attack(replicas: readonly Spawned[], addresses: number) {
  const statuses: number[] = []
  const all = Array.from({ length: addresses }, async (_, n) => {
    const address = `198.${18 + (n >> 14)}.${(n >> 7) & 127}.${n & 127}`
    const replica = replicas[n % replicas.length] as Spawned
    statuses.push((await logIn(replica, address, { ...right, password: "guess" })).status)
  })
  return { statuses, all: Promise.allSettled(all) }
}

const countOf = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length
const rssMiB = ({ pid }: Spawned) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

test("of 1,500 concurrent guesses for one username 50 are checked at once, and the user can sign in from any address", async (t) => {
  await using petstore = await spawnPetstore({ env })
  await logIn(petstore, "192.0.2.1")
  const before = rssMiB(petstore)
  const { statuses, all } = attack([petstore], 1_500)
  await until(() => statuses.length >= 1_500 - 16, "the guesses get no response")
  // Meanwhile some waiting guesses have been checked.
  const checked = countOf(statuses, 400)
  assert.ok(checked >= 50 && checked <= 54, `${checked}`)
  t.diagnostic(`${Math.round(rssMiB(petstore) - before)} MiB more memory`)

  const known = await logIn(petstore, "192.0.2.1")
  const other = await logIn(petstore, "203.0.113.1")
  t.diagnostic(`known address ${Math.round(known.ms)} ms, another ${Math.round(other.ms)} ms`)
  assert.deepEqual({ known: known.status, other: other.status }, { known: 200, other: 200 })
  assert.ok(known.ms < 1_000, `${known.ms} ms`)

  const stopped = performance.now()
  await petstore.kill("SIGTERM")
  assert.ok(performance.now() - stopped < 5_000)
  const failed = (await all).filter(({ status }) => status === "rejected")
  assert.deepEqual(failed, [], "waiting attempts get a response before the service stops")
})

describe("two replicas on one Redis", { skip: withoutRedis }, () => {
  test("together check no more guesses than one, and share the addresses of sign-ins", async () => {
    await using redis = await startRedis()
    // Two sandboxes with the same users that share only the counters.
    const shared = { env: { ...env, PETSTORE_REDIS_URL: redis.url } }
    await using one = await spawnPetstore(shared)
    await using other = await spawnPetstore(shared)
    assert.equal((await logIn(one, "192.0.2.1")).status, 200)
    const { statuses, all } = attack([one, other], 150)
    await until(() => statuses.length >= 150 - 2 * 16, "the guesses get no response")
    const checked = countOf(statuses, 400)
    assert.ok(checked >= 50 && checked <= 54, `${checked}`)

    const known = await logIn(other, "192.0.2.1")
    assert.deepEqual({ status: known.status, isFast: known.ms < 1_000 }, { status: 200, isFast: true })
    assert.equal((await logIn(other, "203.0.113.1")).status, 200)
    await Promise.all([one, other].map((replica) => replica.kill("SIGTERM")))
    await all
  })
})
