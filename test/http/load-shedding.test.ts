import assert from "node:assert/strict"
import { test } from "node:test"
import { startPetstore } from "../harness/petstore.ts"

const headers = { api_key: "free-key" }

test("while the event loop is late every response except /livez is an immediate 503, and the service recovers by itself", async () => {
  let loopDelayMs = 0
  await using petstore = await startPetstore({ load: { loopDelayMs: () => loopDelayMs } })
  const status = async (path: string) => (await fetch(petstore.url + path, { headers })).status
  assert.equal(await status("/api/v3/pet/1"), 200)

  loopDelayMs = 5_000
  const refused = await fetch(`${petstore.url}/api/v3/pet/1`, { headers })
  const problem = (await refused.json()) as { code: string }
  assert.deepEqual(
    { status: refused.status, code: problem.code, "retry-after": refused.headers.get("retry-after") },
    { status: 503, code: "overloaded", "retry-after": "2" },
  )
  assert.deepEqual(
    { "/": await status("/"), "/livez": await status("/livez"), "/readyz": await status("/readyz") },
    { "/": 503, "/livez": 200, "/readyz": 503 },
  )

  loopDelayMs = 0
  const { headers: after } = await fetch(`${petstore.url}/api/v3/pet/1`, { headers })
  assert.match(after.get("ratelimit") ?? "", /^"minute";r=58;/, "what was shed counted nothing")
  const errors = petstore.lines.filter((line) => JSON.parse(line).level >= 50)
  assert.deepEqual(errors, [], "a caller cannot cause an entry for operators")
})

test("requests beyond the limit of concurrent operations get 503, and none stays counted", async () => {
  await using petstore = await startPetstore({ load: { requestsMax: 5 } })
  const body = JSON.stringify({ name: "p", photoUrls: [] })
  const add = () =>
    fetch(`${petstore.url}/api/v3/pet`, {
      method: "POST",
      headers: { api_key: "special-key", "content-type": "application/json" },
      body,
    }).then(({ status }) => status)
  const statuses = await Promise.all(Array.from({ length: 60 }, add))
  assert.ok(statuses.every((status) => status === 200 || status === 503))
  assert.ok(statuses.filter((status) => status === 200).length >= 5)
  for (let n = 0; n < 10; n++) assert.equal(await add(), 200)
})
