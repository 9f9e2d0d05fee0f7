// Runs in a process of its own.
import assert from "node:assert/strict"
import { once } from "node:events"
import { connect } from "node:net"
import { after, describe, test } from "node:test"
import { createResolver } from "../../src/core/workers/delivery/sending/resolve-name.ts"
import { startNameServer } from "../harness/name-server.ts"
import { startReceiver } from "../harness/receiver.ts"
import { newPet } from "../harness/samples.ts"
import { until } from "../harness/until.ts"
import { use, usePetstore } from "../harness/use.ts"

const silent = use(startNameServer)
const receiver = use(startReceiver)
// No address is exempt from limits, and each request names its own.
const petstore = usePetstore(() => ({
  delivery: { resolve: createResolver({ servers: [silent.server], timeoutMs: 4000 }) },
  env: { PETSTORE_TRUSTED_PROXIES: "127.0.0.1", PETSTORE_UNLIMITED_ADDRESSES: "192.0.2.0/24" },
}))
const store = petstore.as("special-key")

/** An authorization request of a client whose document has this address. */
async function authorize(document: string, from: string, path = "/oauth/auth") {
  const query = new URLSearchParams({
    client_id: document,
    redirect_uri: "http://127.0.0.1/callback",
    response_type: "code",
    code_challenge: "a".repeat(43),
    code_challenge_method: "S256",
  })
  const headers = { "x-forwarded-for": from, accept: "text/html" }
  const response = await fetch(`${petstore.url}${path}?${query}`, { headers, redirect: "manual" })
  return { status: response.status, retryAfter: response.headers.get("retry-after") }
}

/** Some milliseconds, on a machine that is busy with other tests; the names take 2.5 s and more. */
const msMax = 1_500

async function deliver(total: number): Promise<void> {
  await newPet(store)
  await petstore.worker.tick()
  await receiver.until((received) => received.length >= total)
}

async function durationOf(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work
  return performance.now() - startedAt
}

describe("twenty names that clients chose and no server answers", () => {
  const pending: Promise<unknown>[] = []
  after(() => Promise.all(pending))

  test("delay neither a delivery, nor a connection of the service by name, nor a request", async () => {
    const port = Number(new URL(receiver.url).port)
    await store.createWebhook({ body: { url: `http://localhost:${port}/`, events: ["pet.created"] } })
    await deliver(1)
    for (let n = 0; n < 10; n++) {
      pending.push(authorize(`https://document${n}.example/client.json`, `198.51.100.${n}`))
      pending.push(store.createWebhook({ body: { url: `https://webhook${n}.example/`, events: ["pet.deleted"] } }))
    }
    await until(() => new Set(silent.asked.map((each) => each.split(" ")[0])).size === 20, "twenty names are asked for")

    // Databases and Redis are reached like this: by a name that the system resolves.
    const byName = () => once(connect({ host: "localhost", port, family: 4 }), "connect")
    const elapsed = {
      connection: await durationOf(byName()),
      request: await durationOf(store.getPetById({ params: { petId: 1 } })),
      delivery: await durationOf(deliver(2)),
    }
    for (const [what, ms] of Object.entries(elapsed)) assert.ok(ms < msMax, `${what}: ${ms} ms`)
  })
})

test("four documents are read at once for an address, and sixteen in all: 429 beyond, at the sign-in page too", async () => {
  const slow = (n: number) => `https://slow${n}.example/client.json`
  const asOne = Array.from({ length: 4 }, (_, n) => authorize(slow(n), "203.0.113.1"))
  await until(() => silent.asked.includes("slow3.example A"), "four documents are asked for")
  for (const path of ["/oauth/auth", "/oauth/sign-in"])
    assert.deepEqual(await authorize(slow(4), "203.0.113.1", path), { status: 429, retryAfter: "3" }, path)
  const asOthers = Array.from({ length: 12 }, (_, n) => authorize(slow(4 + n), `203.0.113.${2 + n}`))
  await until(() => silent.asked.includes("slow15.example A"), "sixteen documents are asked for")
  assert.equal((await authorize(slow(16), "203.0.113.100")).status, 429)
  // One that is being read is waited for.
  const joined = authorize(slow(15), "203.0.113.101")
  for (const { status } of await Promise.all([...asOne, ...asOthers, joined])) assert.equal(status, 400)
  assert.equal(silent.asked.filter((name) => name === "slow16.example A").length, 0)
})
