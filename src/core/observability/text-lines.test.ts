import assert from "node:assert/strict"
import { test } from "node:test"
import { formatLine } from "./text-lines.ts"

const time = "2026-01-01T12:34:56.789Z"
const format = (facts: object) => formatLine(JSON.stringify({ level: 30, time, ...facts }))

test("a request is one line: time, request, result, caller", () => {
  const request = { "http.request.method": "GET", "url.path": "/api/v3/pet/1", "http.response.status_code": 200 }
  const line = format({ requestId: "a-1", ...request, operation: "getPetById", durationMs: 0.41, account: 1, key: 2 })
  assert.equal(line, "12:34:56.789 GET /api/v3/pet/1 200 0.41 ms requestId=a-1 operation=getPetById account=1 key=2\n")
})

test("other lines are the message and the facts, with the level unless it is info", () => {
  assert.equal(format({ url: "http://x", msg: "listening" }), "12:34:56.789 listening url=http://x\n")
  const full = format({ level: 40, path: "/a b", freeBytes: 1, msg: "the disk is nearly full" })
  assert.equal(full, '12:34:56.789 WARN the disk is nearly full path="/a b" freeBytes=1\n')
  const delivery = format({ delivery: 7, webhook: 1, durationMs: 12 })
  assert.equal(delivery, "12:34:56.789 delivery 7 webhook=1 durationMs=12\n")
})

test("an error is shown with its stack", () => {
  const stack = "Error: no\n    at x (y.ts:1:2)"
  const line = format({ level: 50, err: { type: "Error", message: "no", stack }, msg: "request failed" })
  assert.equal(line, `12:34:56.789 ERROR request failed\n${stack}\n`)
})

test("no text in a line can move the cursor or hide text", () => {
  const hostile = "\u001b[2J\u202e\u2028\r\n\u0007"
  const line = format({ level: 50, note: hostile, err: { stack: hostile }, msg: hostile })
  assert.doesNotMatch(line.replaceAll("\n", ""), /[\p{C}\p{Zl}\p{Zp}]/u)
})
