import assert from "node:assert/strict"
import { test } from "node:test"
import type { Send } from "./client.ts"
import { createPetstoreClient, credentialHeaders, serviceRootOf } from "./petstore-client.ts"

test("the address of a service may have the base path and slashes at its end", () => {
  for (const [url, root] of [
    ["http://a", "http://a"],
    ["http://a/", "http://a"],
    ["http://a/api/v3", "http://a"],
    ["http://a/shop/api/v3//", "http://a/shop"],
    ["http://a/api/v3/s/x", "http://a/api/v3/s/x"],
  ] as const)
    assert.equal(serviceRootOf(url), root)
})

test("credentials are headers; a token may be a function", async () => {
  assert.deepEqual(await credentialHeaders({}), {})
  assert.deepEqual(await credentialHeaders({ apiKey: "k", token: "t" }), { api_key: "k", authorization: "Bearer t" })
  assert.deepEqual(await credentialHeaders({ token: () => "f" }), { authorization: "Bearer f" })
  assert.deepEqual(await credentialHeaders({ token: async () => "g" }), { authorization: "Bearer g" })
})

test("by default a call is repeated twice and an attempt ends after 30 seconds", async (t) => {
  const timeouts: number[] = []
  const timeout = AbortSignal.timeout
  t.mock.method(AbortSignal, "timeout", (ms: number) => {
    timeouts.push(ms)
    return timeout.call(AbortSignal, ms)
  })
  const sent: (string | undefined)[] = []
  const send: Send = async (url, { headers }) => {
    sent.push(`${url} ${headers.api_key}`)
    return new Response("", { status: 503, headers: { "retry-after": "0" } })
  }
  const asked = { url: "http://a/api/v3", apiKey: "k", fetch: send }
  await assert.rejects(createPetstoreClient(asked).getInventory(), { status: 503 })
  assert.deepEqual(sent, Array(3).fill("http://a/api/v3/store/inventory k"))
  assert.deepEqual(timeouts, [30_000, 30_000, 30_000])
  await assert.rejects(createPetstoreClient({ ...asked, retries: 0, timeoutMs: 5000 }).getInventory(), { status: 503 })
  assert.deepEqual([sent.length, timeouts[3]], [4, 5000])
})
