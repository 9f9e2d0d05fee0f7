import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { Problem } from "../../kernel/problem.ts"
import { requireCreator } from "./creator.ts"

type Given = { method?: string; headers?: Record<string, string>; keys?: { secret: string }[] | undefined }

/** How a request that names a new sandbox is limited, and the code of its refusal. */
async function create(url: string, given: Given = {}) {
  const { method = "GET", headers = { api_key: "special-key" } } = given
  const keys = "keys" in given ? given.keys : [{ secret: "pro-key" }, { secret: "special-key" }]
  const limited: string[] = []
  const parts = {
    limitAddress: async (kind: string) => void limited.push(kind),
    publicUrl: () => "https://a.example",
  }
  try {
    await requireCreator(exchangeOf(url, { method, headers }), "one", keys, parts)
  } catch (error) {
    if (error instanceof Problem) return [...limited, error.code]
    throw error
  }
  return limited
}

const pet = "/api/v3/pet/1"

test("a key that every new sandbox has creates one, and nothing else does", async () => {
  assert.deepEqual(await create(pet), ["anonymous"])
  assert.deepEqual(await create(pet, { headers: { api_key: "pro-key" } }), ["anonymous"])
  assert.deepEqual(await create(pet, { headers: {} }), ["anonymous", "unauthorized"])
  assert.deepEqual(await create(pet, { headers: { api_key: "a" } }), ["failed", "unauthorized"])
  const both = { api_key: "special-key", authorization: "Bearer a" }
  assert.deepEqual(await create(pet, { headers: both }), ["failed", "unauthorized"])
  assert.deepEqual(await create(pet, { headers: {}, keys: undefined }), ["anonymous"])
  assert.deepEqual(await create(pet, { keys: [] }), ["failed", "unauthorized"])
})

test("a page of another site creates none", async () => {
  const headers = { api_key: "special-key", origin: "https://b.example", "sec-fetch-site": "cross-site" }
  assert.deepEqual(await create(pet, { headers }), ["foreign-page"])
})

test("a request that only looks at a sandbox, or copies it, creates none", async () => {
  const absent = ["anonymous", "sandbox-not-found"]
  for (const [method, path, outcome] of [
    ["GET", "/api/v3/sandbox/requests", absent],
    ["HEAD", "/api/v3/sandbox/clock", absent],
    ["PUT", "/api/v3/sandbox/faults", ["anonymous"]],
    ["POST", "/api/v3/sandbox/reset", ["anonymous"]],
    ["POST", "/api/v3/sandbox/forks", absent],
    ["POST", "/api/v3/sandbox/forks/", absent],
    ["GET", "/api/v3/sandboxes", absent],
    ["DELETE", "/api/v3/sandboxes/one", absent],
    ["GET", "/api/v3/sandboxes-of-pets", ["anonymous"]],
    ["GET", "/api/v3/pets/sandbox/", ["anonymous"]],
  ] as const)
    assert.deepEqual(await create(path, { method }), outcome, `${method} ${path}`)
})
