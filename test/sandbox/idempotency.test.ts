import assert from "node:assert/strict"
import { test } from "node:test"
import { serverUrl } from "../harness/database.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

test("a key of one sandbox is replayed for each spelling of its URL, and in a fork", {
  skip: serverUrl && "named sandboxes need SQLite",
}, async () => {
  const create = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(petstore.url + path, {
      method: "POST",
      headers: { api_key: "special-key", "content-type": "application/json", "idempotency-key": "one", ...headers },
      body: '{"name":"once","photoUrls":[]}',
    })
    return {
      status: response.status,
      text: await response.text(),
      replayed: response.headers.get("idempotency-replayed"),
    }
  }
  const first = await create("/s/source/api/v3/pet")
  assert.deepEqual([first.status, first.replayed], [200, null])
  const replay = { ...first, replayed: "true" }
  assert.deepEqual(await create("/api/v3/pet", { "petstore-sandbox": "source" }), replay)
  assert.deepEqual(await create("/s/source/api/v3/pet/?x=1"), replay)
  const fork = await fetch(`${petstore.url}/s/source/api/v3/sandbox/forks`, {
    method: "POST",
    headers: { api_key: "special-key", "content-type": "application/json" },
    body: '{"name":"copy"}',
  })
  assert.equal(fork.status, 201)
  assert.deepEqual(await create("/s/copy/api/v3/pet"), replay)
  assert.equal((await create("/s/other/api/v3/pet")).replayed, null)
})
