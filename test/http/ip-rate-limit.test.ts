import assert from "node:assert/strict"
import { test } from "node:test"
import { addressMax } from "../../src/core/server/limits/ip-rate-limit.ts"
import { startPetstore } from "../harness/petstore.ts"

type Petstore = Awaited<ReturnType<typeof startPetstore>>

const behindProxy = { PETSTORE_TRUSTED_PROXIES: "127.0.0.1" }

const ask = async ({ url }: Petstore, from: string, headers: Record<string, string> = {}, path = "/pet/1") => {
  const response = await fetch(`${url}/api/v3${path}`, { headers: { "x-forwarded-for": from, ...headers } })
  await response.bytes()
  return response
}

async function exhaust(petstore: Petstore, from: string, headers: Record<string, string>, times: number) {
  for (let n = 0; n < times; n++) assert.equal((await ask(petstore, from, headers)).status, 401)
}

test("an address with repeated failures gets 429 with Retry-After; others, and valid credentials from it, do not", async () => {
  await using petstore = await startPetstore({ env: behindProxy })
  const wrong = { api_key: "wrong" }
  await exhaust(petstore, "192.0.2.1", wrong, addressMax.failed)
  const refused = await ask(petstore, "192.0.2.1", wrong)
  assert.deepEqual(
    { status: refused.status, "retry-after": refused.headers.get("retry-after") },
    { status: 429, "retry-after": "60" },
  )
  assert.equal((await ask(petstore, "192.0.2.2", wrong)).status, 401)
  assert.equal((await ask(petstore, "192.0.2.1", { api_key: "free-key" })).status, 200)
  petstore.clock.advance(60_000)
  assert.equal((await ask(petstore, "192.0.2.1", wrong)).status, 401)
})

test("addresses of one IPv6 /64 count together", async () => {
  await using petstore = await startPetstore({ env: behindProxy })
  const wrong = { authorization: "Bearer wrong" }
  for (let n = 0; n < addressMax.failed; n++) await ask(petstore, `2001:db8::${n.toString(16)}`, wrong)
  assert.equal((await ask(petstore, "2001:db8::ffff:1", wrong)).status, 429)
  assert.equal((await ask(petstore, "2001:db8:0:1::1", wrong)).status, 401)
})

test("addresses of one IPv6 /48 also count together, and may send eight times as many requests as one /64 (slow)", async () => {
  await using petstore = await startPetstore({ env: behindProxy })
  const wrong = { api_key: "wrong" }
  for (let n = 0; n < 8 * addressMax.failed; n++)
    assert.equal((await ask(petstore, `2001:db8:1:${n.toString(16)}::1`, wrong)).status, 401)
  assert.equal((await ask(petstore, "2001:db8:1:ffff::1", wrong)).status, 429)
  assert.equal((await ask(petstore, "2001:db8:2::1", wrong)).status, 401)
})

test("requests without a credential are limited too: missing ones, open operations and unknown paths together (slow)", async () => {
  await using petstore = await startPetstore({ env: behindProxy })
  const paths = ["/pet/1", "/nothing", "/user/logout"]
  const from = "198.51.100.7"
  for (let n = 0; n < addressMax.anonymous; n++)
    assert.notEqual((await ask(petstore, from, {}, paths[n % paths.length])).status, 429)
  for (const path of paths) assert.equal((await ask(petstore, from, {}, path)).status, 429)
  assert.equal((await fetch(`${petstore.url}/livez`, { headers: { "x-forwarded-for": from } })).status, 200)
})

test("a forwarded address is trusted from configured proxies only", async () => {
  const allowed = { allowedCidrs: ["203.0.113.0/24"], name: "office", scopes: ["read:pets" as const] }
  for (const [env, expected] of [
    [behindProxy, 200],
    [{}, 401],
    [{ PETSTORE_TRUSTED_PROXIES: "10.0.0.0/8" }, 401],
  ] as const) {
    await using petstore = await startPetstore({ env })
    const { value: key } = await petstore.as("special-key").createKey({ body: allowed })
    assert.equal((await ask(petstore, "203.0.113.9", { api_key: key.secret })).status, expected)
    assert.equal((await ask(petstore, "203.0.113.9, 8.8.8.8", { api_key: key.secret })).status, 401)
    assert.equal((await ask(petstore, "nonsense", { api_key: key.secret })).status, 401)
  }
})

test("in the sandbox requests from this machine are not limited", async () => {
  await using petstore = await startPetstore()
  for (let n = 0; n < addressMax.failed + 10; n++)
    assert.equal((await fetch(`${petstore.url}/api/v3/pet/1`, { headers: { api_key: "wrong" } })).status, 401)
})
