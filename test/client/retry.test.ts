import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import type { Send } from "../../src/client/client.ts"
import { createClient } from "../../src/client/client.ts"
import { routes } from "../../src/client/routes.ts"
import { createPetstoreClient, isRefused, Refused } from "../../src/public/client.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

type Sent = { method: string; key: string | undefined }
const body = { name: "Rex", photoUrls: [] }
const away = () => {
  throw new TypeError("fetch failed")
}
const respond = (status: number, headers: Record<string, string> = {}) => new Response("{}", { status, headers })
const wait = (seconds: string) => () => respond(429, { "retry-after": seconds })

/** A client whose first requests get these responses, and later ones those of the service; its requests and pauses. */
function meeting(...first: (() => Response)[]) {
  const sent: Sent[] = []
  const pauses: number[] = []
  const send: Send = async (url, request) => {
    sent.push({ method: request.method, key: request.headers["idempotency-key"] })
    return first.shift()?.() ?? fetch(url, request)
  }
  const client = createClient<typeof import("../../src/core/domain/api.ts").api>(routes, {
    url: petstore.url,
    headers: { api_key: "special-key" },
    fetch: send,
    retries: 2,
    random: () => 1,
    pause: async (ms) => void pauses.push(ms),
  })
  return { client, sent, pauses }
}

test("a read is retried after temporary failures, with growing pauses", async () => {
  const { client, pauses } = meeting(away, () => respond(503))
  const { value } = await client.getPetById({ params: { petId: 1 } })
  assert.equal(value.name, "Cat 1")
  assert.deepEqual(pauses, [250, 500])
})

test("a creation is retried under one key, so that a lost response does not create a second pet", async () => {
  const { client, sent } = meeting()
  let lost = 1
  const send: Send = async (url, request) => {
    sent.push({ method: request.method, key: request.headers["idempotency-key"] })
    const response = await fetch(url, request)
    return lost-- > 0 ? away() : response
  }
  const losing = createPetstoreClient({ url: petstore.url, apiKey: "special-key", fetch: send })
  const before = (await client.getInventory()).value.available ?? 0
  const { headers } = await losing.addPet({ body })
  assert.equal(headers.get("idempotency-replayed"), "true")
  assert.equal((await client.getInventory()).value.available, before + 1)
  const [first, second] = sent.filter(({ method }) => method === "POST")
  assert.match(first?.key ?? "", /^[0-9a-f]{32}$/)
  assert.equal(first?.key, second?.key)
})

test("each creation gets its own key, unless one is given", async () => {
  const { client, sent } = meeting()
  for (const headers of [{}, {}, { "Idempotency-Key": "mine" }]) await client.addPet({ body }, { headers })
  assert.equal(new Set(sent.map(({ key }) => key)).size, 3)
  assert.equal(sent[2]?.key, "mine")
})

test("a request that may have succeeded and has no key is not retried", async () => {
  const { client, sent } = meeting(away, away, away)
  await assert.rejects(client.createKey({ body: { name: "k", scopes: ["read:pets"] } }), TypeError)
  await assert.rejects(client.patchPet({ params: { petId: 1 }, body: { name: "x" } }), TypeError)
  assert.deepEqual(
    sent.map(({ method }) => method),
    ["POST", "PATCH"],
  )
})

test("Retry-After is obeyed, in seconds and as a date; a long one is left to the caller", async () => {
  const { client, pauses } = meeting(wait("7"), wait(new Date(Date.now() - 60_000).toUTCString()))
  await client.getPetById({ params: { petId: 1 } })
  assert.deepEqual(pauses, [7000, 0])
  const later = meeting(wait("61"))
  await assert.rejects(later.client.getPetById({ params: { petId: 1 } }), { status: 429 })
  assert.deepEqual(later.pauses, [])
})

test("a call fails after its retries, and at once for permanent failures", async () => {
  const { client, sent } = meeting(away, away, away)
  await assert.rejects(client.getPetById({ params: { petId: 1 } }), TypeError)
  assert.equal(sent.length, 3)
  for (const status of [400, 401, 404, 409, 412, 422, 500]) {
    const one = meeting(() => respond(status))
    await assert.rejects(one.client.getPetById({ params: { petId: 1 } }), { status })
    assert.equal(one.sent.length, 1)
  }
})

test("a creation that is still running is retried", async () => {
  const problem = JSON.stringify({ code: "idempotency-key-in-use", status: 409 })
  const running = () => new Response(problem, { status: 409, headers: { "content-type": "application/problem+json" } })
  const { client, sent } = meeting(running)
  assert.equal((await client.addPet({ body })).status, 200)
  assert.equal(sent.length, 2)
})

test("an aborted call ends, also in the pause between attempts", { timeout: 10_000 }, async () => {
  const ending = new AbortController()
  const reason = new Error("enough")
  const send: Send = async () => {
    setImmediate(() => ending.abort(reason))
    return wait("60")()
  }
  const client = createPetstoreClient({ url: petstore.url, fetch: send })
  await assert.rejects(client.getInventory({}, { signal: ending.signal }), reason)
  await assert.rejects(createPetstoreClient({ url: petstore.url }).getInventory({}, { signal: ending.signal }), reason)
})

test("an attempt that times out is retried (slow)", async () => {
  let attempts = 0
  const send: Send = (url, request) => {
    attempts++
    if (attempts > 1) return fetch(url, request)
    return new Promise((_, reject) => request.signal?.addEventListener("abort", () => reject(request.signal?.reason)))
  }
  const client = createPetstoreClient({ url: petstore.url, apiKey: "special-key", fetch: send, timeoutMs: 500 })
  await client.getPetById({ params: { petId: 1 } })
  assert.equal(attempts, 2)
})

test("a refusal has the operation, code, status, every violation and the request id", async () => {
  const client = createPetstoreClient({ url: `${petstore.url}/api/v3/`, token: async () => "none" })
  const error = await client.addPet({ body }).catch((error: unknown) => error)
  assert.ok(isRefused(error, "addPet") && error.code === "unauthorized" && error.status === 401)
  assert.ok(!isRefused(error, "updatePet"))
  assert.match(error.requestId, /./)
  const invalid = await meeting()
    .client.addPet({ body: { name: " ", photoUrls: ["javascript:"] } })
    .catch((error: unknown) => error)
  assert.ok(invalid instanceof Refused)
  assert.deepEqual(
    invalid.errors.map((violation) => "pointer" in violation && violation.pointer),
    ["/name", "/photoUrls/0"],
  )
})

test("redirects are not followed: they would carry the credential along", async () => {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.url)
    response.writeHead(307, { location: `${petstore.url}/api/v3/pet/1` }).end()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  try {
    const { port } = server.address() as AddressInfo
    const client = createPetstoreClient({ url: `http://127.0.0.1:${port}`, apiKey: "special-key" })
    await assert.rejects(client.getPetById({ params: { petId: 1 } }), { status: 307, code: "unknown" })
    assert.equal(asked.length, 1)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
