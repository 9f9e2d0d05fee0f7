import assert from "node:assert/strict"
import { test } from "node:test"
import { startPetstore } from "../harness/petstore.ts"
import { type AskOptions, asker } from "../harness/send.ts"

type Petstore = Awaited<ReturnType<typeof startPetstore>>

const get = (petstore: Petstore, key: string, path = "/pet/1", { headers, ...init }: AskOptions = {}) =>
  asker(petstore, "/api/v3")(path, { ...init, headers: { api_key: key, ...headers } })

async function statuses(asked: Promise<Response>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const response of await Promise.all(asked)) {
    await response.bytes()
    counts[response.status] = (counts[response.status] ?? 0) + 1
  }
  return counts
}

test("of 500 concurrent requests with a Free key exactly 60 are admitted", async () => {
  await using petstore = await startPetstore()
  const asked = Array.from({ length: 500 }, () => get(petstore, "free-key"))
  assert.deepEqual(await statuses(asked), { 200: 60, 429: 440 })
})

test("every response of a limited plan states the quota and the remaining requests", async () => {
  await using petstore = await startPetstore()
  const headers = async (path: string, init?: AskOptions) => {
    const response = await get(petstore, "free-key", path, init)
    await response.bytes()
    return [response.status, response.headers.get("ratelimit")]
  }
  const first = await get(petstore, "free-key")
  assert.equal(first.headers.get("ratelimit-policy"), '"minute";q=60;w=60, "day";q=1000;w=86400')
  assert.equal(first.headers.get("ratelimit"), '"minute";r=59;t=60, "day";r=999;t=86460')
  petstore.clock.advance(10_500)
  assert.deepEqual(await headers("/pet/999"), [404, '"minute";r=58;t=50, "day";r=998;t=86450'])
  assert.deepEqual(await headers("/pet/none"), [400, '"minute";r=57;t=50, "day";r=997;t=86450'])
  const broken = { method: "POST", body: "{", headers: { "content-type": "application/json" } }
  assert.deepEqual(await headers("/pet", broken), [400, '"minute";r=56;t=50, "day";r=996;t=86450'])
})

test("the response to a used-up plan names the full windows and the wait, after which requests succeed", async () => {
  await using petstore = await startPetstore({ env: { PETSTORE_PLAN_FREE: "2/minute, 3/day" } })
  for (let n = 0; n < 2; n++) assert.equal((await get(petstore, "free-key")).status, 200)
  petstore.clock.advance(15_000)
  const refused = await get(petstore, "free-key")
  const problem = (await refused.json()) as Record<string, unknown>
  assert.deepEqual(
    { status: refused.status, code: problem.code, "violated-policies": problem["violated-policies"] },
    { status: 429, code: "quota-exceeded", "violated-policies": ["minute"] },
  )
  assert.equal(refused.headers.get("retry-after"), "45")
  assert.equal(refused.headers.get("ratelimit"), '"minute";r=0;t=45, "day";r=1;t=86445')
  petstore.clock.advance(45_000)
  assert.equal((await get(petstore, "free-key")).status, 200)
  const tomorrow = await get(petstore, "free-key")
  assert.deepEqual(((await tomorrow.json()) as Record<string, unknown>)["violated-policies"], ["day"])
  petstore.clock.advance(Number(tomorrow.headers.get("retry-after")) * 1000)
  assert.equal((await get(petstore, "free-key")).status, 200)
})

test("Enterprise responses have no limit", async () => {
  await using petstore = await startPetstore()
  const response = await get(petstore, "special-key")
  assert.deepEqual(
    { ratelimit: response.headers.get("ratelimit"), "ratelimit-policy": response.headers.get("ratelimit-policy") },
    { ratelimit: null, "ratelimit-policy": null },
  )
})

test("documentation, health checks and 401s do not count", async () => {
  await using petstore = await startPetstore({ env: { PETSTORE_PLAN_FREE: "1/minute, 1/day" } })
  for (const path of ["/", "/livez", "/readyz", "/api/v3/openapi.json", "/problems/quota-exceeded"]) {
    const response = await fetch(petstore.url + path, { headers: { api_key: "free-key" } })
    assert.deepEqual(
      { status: response.status, ratelimit: response.headers.get("ratelimit") },
      { status: 200, ratelimit: null },
    )
  }
  const unknown = { headers: { authorization: "Bearer unknown" } }
  assert.equal((await get(petstore, "free-key", "/pet/1", unknown)).status, 401)
  assert.equal((await get(petstore, "free-key")).status, 200)
  assert.equal((await get(petstore, "free-key")).status, 429)
})

test("jumps of the wall clock do not affect limits", async () => {
  await using petstore = await startPetstore({ env: { PETSTORE_PLAN_FREE: "2/minute, 100/day" } })
  await get(petstore, "free-key")
  petstore.clock.jump(3_600_000)
  await get(petstore, "free-key")
  assert.equal((await get(petstore, "free-key")).headers.get("retry-after"), "60")
  petstore.clock.jump(-7_200_000)
  assert.equal((await get(petstore, "free-key")).headers.get("retry-after"), "60")
})
