import assert from "node:assert/strict"
import { test } from "node:test"
import { principalOf } from "../../../test/harness/principal.ts"
import type { ExchangeFacts, JournalEntry, RecordedMessages } from "../../domain/sandbox/model.ts"
import { json } from "../../kernel/json/json.ts"
import { credentialOf, showEntry } from "./recorded-request.ts"

const { caller } = principalOf(7)

function shown(facts: Partial<ExchangeFacts>, messages: Partial<RecordedMessages> = {}) {
  const entry: JournalEntry = {
    id: 3,
    at: 0,
    bytes: 0,
    facts: {
      durationMs: 1.23456,
      operation: undefined,
      webhookId: undefined,
      method: "GET",
      status: undefined,
      problem: undefined,
      fault: undefined,
      caller: undefined,
      ...facts,
    },
    read: () => ({
      path: "/pet/1",
      query: "",
      requestHeaders: [],
      responseHeaders: [],
      requestBody: undefined,
      responseBody: undefined,
      ...messages,
    }),
  }
  return showEntry(entry)
}
const bodyOf = (text: string | Uint8Array, isCut = false) => ({ bytes: Buffer.from(text), isCut })

const least = {
  id: 3,
  time: "1970-01-01T00:00:00.000Z",
  method: "GET",
  path: "/pet/1",
  durationMs: 1.23,
  request: { headers: {} },
  response: { headers: {} },
}

test("a request is shown with what is known of it", () => {
  assert.deepEqual(shown({}), least)
  const user = { id: 9, username: "ada", role: "staff" as const, accountId: 7 }
  const facts = { operation: "addPet", webhookId: 0, status: 0, problem: "", fault: "", caller: { ...caller, user } }
  assert.deepEqual(
    shown({ ...facts, explanation: json({ a: 1, token: "secret" }) as never }, { query: "a=1&token=2" }),
    {
      ...least,
      path: "/pet/1?a=1&token=***",
      status: 0,
      operation: "addPet",
      caller: "key 1",
      account: 7,
      user: 9,
      problem: "",
      fault: "",
      webhook: 0,
      explanation: { a: 1, token: "***" },
    },
  )
  assert.equal(credentialOf(caller), "key 1")
  assert.equal(
    showEntry({ id: 1, at: 0, bytes: 0, facts: { ...facts, durationMs: 0, method: "GET" }, read: () => undefined }),
    undefined,
  )
})

test("headers are shown in lower case, repeated ones together, and the one that identified the caller by its credential", () => {
  const requestHeaders = ["API_KEY", "a", "Authorization", "Bearer b", "X-A", "1", "x-a", "2"]
  const headersOf = (of: ExchangeFacts["caller"]) => shown({ caller: of }, { requestHeaders })?.request.headers
  const others = { "x-a": "1, 2" }
  assert.deepEqual(headersOf(caller), { api_key: "key 1", authorization: "***", ...others })
  const session = { ...caller, credential: { kind: "session" as const, id: 5 } }
  assert.deepEqual(headersOf(session), { api_key: "***", authorization: "session 5", ...others })
  const none = { api_key: "***", authorization: "***", ...others }
  assert.deepEqual([headersOf(undefined), headersOf({ ...caller, isAssumed: true })], [none, none])
  const response = shown({ caller }, { responseHeaders: ["api_key", "a", "ETag", "b"] })?.response
  assert.deepEqual(response, { headers: { api_key: "***", etag: "b" } })
})

test("a body is shown as text, without what was cut and without secrets, unless it is encoded", () => {
  const request = (text: string | Uint8Array, isCut = false, ...requestHeaders: string[]) =>
    shown({}, { requestBody: bodyOf(text, isCut), requestHeaders })?.request
  assert.deepEqual(request('{"password":"a"}'), { headers: {}, body: '{"password":"***"}' })
  const form = ["content-type", "application/x-www-form-urlencoded"]
  assert.equal(request("token=a&b=c", false, ...form)?.body, "token=***&b=c")
  assert.deepEqual(request(Buffer.from("a€").subarray(0, 3), true), { headers: {}, body: "a", isTruncated: true })
  assert.equal(request("\ufeffa")?.body, "\ufeffa")
  const encoded = { "content-encoding": "gzip" }
  assert.deepEqual(request("x", false, "Content-Encoding", "gzip"), { headers: encoded })
  assert.deepEqual(request("x", true, "Content-Encoding", "gzip"), { headers: encoded, isTruncated: true })
  assert.deepEqual(shown({}, { responseBody: bodyOf("b") })?.response, { headers: {}, body: "b" })
})
