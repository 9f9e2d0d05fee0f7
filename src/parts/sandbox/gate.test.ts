import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { mockTimeouts } from "../../../test/harness/timeouts.ts"
import type { HttpResponse } from "../../core/kernel/network/http-response.ts"
import { Problem } from "../../core/kernel/problem.ts"
import { createGate } from "./gate.ts"

const ok: HttpResponse = { status: 200, headers: [], body: undefined }
const exchange = exchangeOf("/")
const turn = () => new Promise((resolve) => setImmediate(resolve))

test("exclusive work waits five seconds for operations, and then refuses without ending them", async (t) => {
  const timers = mockTimeouts(t)
  const gate = createGate()
  const running = Promise.withResolvers<HttpResponse>()
  const passed = gate.pass(() => running.promise, exchange)
  const refused: unknown[] = []
  const alone = gate.alone(async () => "done").catch((error: unknown) => refused.push(error))
  await turn()
  timers.tick(4_999)
  await turn()
  assert.equal(refused.length, 0)
  timers.tick(1)
  await alone
  const [problem] = refused
  assert.ok(problem instanceof Problem)
  const { code, detail, retryAfter } = problem
  assert.deepEqual(
    [code, detail, retryAfter],
    ["unavailable", "Running requests did not end in time. Nothing was changed", 5],
  )
  running.resolve(ok)
  assert.equal(await passed, ok)
  assert.equal(await gate.alone(async () => "done"), "done")
})
