import assert from "node:assert/strict"
import { test } from "node:test"
import type { Send } from "../../../client/client.ts"
import { createSandboxClient } from "./sandbox-client.ts"

/** The client of a sandbox that responds as given; its requests. */
function opened(options: { name?: string; apiKey?: string }, ...responses: Response[]) {
  const sent: string[] = []
  const send: Send = async (url, { method, headers, body }) => {
    sent.push([method, url, headers.api_key, body].filter((part) => part !== undefined).join(" "))
    return responses.shift() ?? Response.json({})
  }
  return { sandbox: createSandboxClient({ url: "http://a/api/v3", fetch: send, ...options }), sent }
}
const refusal = (problem: object) =>
  new Response(JSON.stringify({ status: 409, ...problem }), {
    status: 409,
    headers: { "content-type": "application/problem+json" },
  })

test("a sandbox is that of the address or a named one, with its key by default", async () => {
  const own = opened({})
  const named = opened({ name: "run-7", apiKey: "k" })
  assert.deepEqual([own.sandbox.url, named.sandbox.url], ["http://a", "http://a/s/run-7"])
  await own.sandbox.getClock()
  await named.sandbox.getClock()
  assert.match(own.sent[0] ?? "", /^GET http:\/\/a\/api\/v3\/\S+ special-key$/)
  assert.match(named.sent[0] ?? "", /^GET http:\/\/a\/s\/run-7\/api\/v3\/\S+ k$/)
})

test("the recorded requests are those of all pages, oldest first", async () => {
  const next = { link: '<?cursor=c>; rel="next"' }
  const { sandbox, sent } = opened(
    {},
    Response.json([{ id: 4 }, { id: 3 }], { headers: next }),
    Response.json([{ id: 2 }]),
    Response.json([]),
  )
  const found = await sandbox.requests({ method: "GET" })
  assert.deepEqual(
    found.map(({ id }) => id),
    [2, 3, 4],
  )
  assert.deepEqual(
    sent.map((line) => line.replace(/^.*\?/, "")),
    ["method=GET&limit=1000 special-key", "method=GET&limit=1000&cursor=c special-key"],
  )
  await sandbox.requests({ grouped: true })
  assert.match(sent[2] ?? "", /\?group=attempts&limit=1000 /)
})

test("a named sandbox is compared with another one, or with what it started from", async () => {
  const { sandbox, sent } = opened({ name: "run-7" })
  await sandbox.diff()
  await sandbox.diff("template")
  assert.deepEqual(
    sent.map((line) => line.replace(/^.*v3/, "")),
    ["/sandboxes/run-7/diff?limit=1000 special-key", "/sandboxes/run-7/diff?limit=1000&with=template special-key"],
  )
  await assert.rejects(opened({}).sandbox.diff(), new TypeError("Only a named sandbox can be compared"))
})

test("what was expected and not found is an error with the nearest requests", async () => {
  const expected = { match: { method: "GET" }, exactly: 1 }
  const nearest = [
    { id: 7, method: "GET", path: "/pet/1", status: 404, differs: ["status", "path"] },
    { id: 8, method: "PUT", path: "/pet", differs: [] },
  ]
  const unexpected = { code: "requests-unexpected", detail: "Expected 1 request, found 0." }
  const wanted = 'Wanted: {"match":{"method":"GET"},"exactly":1}'
  const { sandbox } = opened(
    {},
    Response.json({ count: 3 }),
    refusal({ ...unexpected, nearest }),
    refusal({ ...unexpected, nearest: nearest.slice(1) }),
    refusal({ ...unexpected, nearest: [] }),
    refusal(unexpected),
    refusal({ code: "other", detail: "Something else" }),
  )
  assert.equal(await sandbox.verify(expected), 3)
  await assert.rejects(
    sandbox.verify(expected),
    new Error(
      `Expected 1 request, found 0.\n${wanted}\nNearest:\n  #7 GET /pet/1 404, differs in status, path\n  #8 PUT /pet no response`,
    ),
  )
  await assert.rejects(
    sandbox.verify(expected),
    new Error(`Expected 1 request, found 0.\n${wanted}\nNearest:\n  #8 PUT /pet no response`),
  )
  for (const _ of [1, 2])
    await assert.rejects(
      sandbox.verify(expected),
      new Error(`Expected 1 request, found 0.\n${wanted}\nNo other requests are recorded.`),
    )
  await assert.rejects(sandbox.verify(expected), { name: "Refused", code: "other", message: "Something else" })
})
