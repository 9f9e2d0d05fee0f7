import assert from "node:assert/strict"
import { test } from "node:test"
import type { RecordedRequest } from "../../../../domain/sandbox/requests/contract.ts"
import type { Visit } from "../page.ts"
import { isSafe, repeatedHeaders } from "./recorded.ts"
import { again } from "./send-again.ts"

type Request = RecordedRequest["request"]

const visit = { root: "/console", path: "/requests/1", token: "T" } as Visit
/** The action that a recorded request offers, or why it cannot be sent again. */
function offered(changed: Partial<RecordedRequest>, request: Partial<Request> = {}): string | undefined {
  const recorded = { id: 1, time: "", durationMs: 1, method: "GET", path: "/pet/1", response: { headers: {} } }
  const { text } = again(visit, { ...recorded, request: { headers: {}, ...request }, ...changed })
  return /name="action" value="(\w+)"/.exec(text)?.[1] ?? /<span class="soft">(.*?)<\/span>/.exec(text)?.[1]
}
const cut = "Only the first 16 KiB of its body are recorded, so it cannot be sent again."
const changed = "Its body is not recorded as it was sent, so it cannot be sent again."

test("a request is sent again at once, or after a question when it may change something", () => {
  for (const method of ["GET", "HEAD", "OPTIONS"]) assert.equal(offered({ method }), "again")
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) assert.equal(offered({ method }), "repeat")
  assert.deepEqual([isSafe("GET"), isSafe("POST")], [true, false])
})

test("a request that is not recorded as a whole cannot be sent again", () => {
  assert.equal(offered({}, { body: "a" }), "again")
  assert.equal(offered({}, { headers: { "content-length": "0" } }), "again")
  assert.equal(offered({}, { headers: { "content-length": "1" } }), changed)
  assert.equal(offered({}, { headers: { "content-length": "1" }, body: "a" }), "again")
  assert.equal(offered({}, { headers: { "transfer-encoding": "chunked" } }), changed)
  assert.equal(offered({}, { body: "a\ufffd" }), changed)
  assert.equal(offered({}, { body: "a", isTruncated: true }), cut)
  assert.equal(offered({ operation: "getPetById" }), "again")
  assert.match(offered({ operation: "streamEvents" }) ?? "", /^A stream has no end/)
  assert.match(offered({ webhook: 1 }) ?? "", /^This message was sent by the service/)
})

test("a repetition has the headers of the request, without those of its connection and its credential", () => {
  const connection = [
    "host",
    "connection",
    "te",
    "proxy-authorization",
    "content-length",
    "user-agent",
    "sec-fetch-site",
    "api_key",
  ]
  const headers = Object.fromEntries(
    [...connection, "authorization", "accept", "x-host", "idempotency-key"].map((name) => [name, "x"]),
  )
  assert.deepEqual(
    repeatedHeaders(headers).map(([name]) => name),
    ["accept", "x-host", "idempotency-key"],
  )
})
