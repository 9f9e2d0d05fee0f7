import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { mockTimeouts } from "../../../test/harness/timeouts.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import { createGate } from "./gate.ts"

const ok: HttpResponse = { status: 200, headers: [], body: undefined }
const exchange = exchangeOf("/")
const turn = () => new Promise((resolve) => setImmediate(resolve))

test("operations run beside one another, and exclusive work after them; later ones wait for it", async () => {
  const gate = createGate()
  const events: string[] = []
  const [first, second, work] = [1, 2, 3].map(() => Promise.withResolvers<HttpResponse>())
  const running = [first, second].map((one) => gate.pass(() => one?.promise, exchange))
  const alone = gate.alone(async () => {
    events.push("alone")
    return work?.promise
  })
  const waiting = gate.pass(() => {
    events.push("waiting")
    return ok
  }, exchange)
  const other = gate.alone(async () => events.push("other"))
  first?.resolve(ok)
  await turn()
  assert.deepEqual(events, [])
  second?.resolve(ok)
  await turn()
  assert.deepEqual(events, ["alone"])
  work?.resolve(ok)
  assert.deepEqual(await Promise.all([...running, alone, waiting]), [ok, ok, ok, ok])
  await other
  assert.deepEqual(events.toSorted(), ["alone", "other", "waiting"])
})

test("an operation that responds at once, throws or rejects no longer runs", async () => {
  const gate = createGate()
  assert.equal(
    gate.pass(() => ok, exchange),
    ok,
  )
  const fail = () => {
    throw new Error("failed")
  }
  assert.throws(() => gate.pass(fail, exchange), /failed/)
  await assert.rejects(async () => gate.pass(async () => fail(), exchange), /failed/)
  assert.equal(await gate.alone(async () => 1), 1)
  await assert.rejects(
    gate.alone(async () => fail()),
    /failed/,
  )
  assert.equal(
    gate.pass(() => ok, exchange),
    ok,
  )
})

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

test("an operation whose client still sends delays no exclusive work, and is checked again after some", async () => {
  for (const isReset of [false, true]) {
    const gate = createGate()
    const receiving = Promise.withResolvers<string>()
    let checks = 0
    const passed = gate.pass(async () => {
      const received = await gate.whileReceiving(receiving.promise, () => void checks++)
      assert.equal(received, "body")
      return ok
    }, exchange)
    if (isReset) assert.equal(await gate.alone(async () => "reset"), "reset")
    receiving.resolve("body")
    assert.equal(await passed, ok)
    assert.equal(checks, Number(isReset))
    assert.equal(await gate.alone(async () => "next"), "next")
  }
})

test("what was received while exclusive work runs waits for it; a failure is that of the operation", async () => {
  const gate = createGate()
  const [receiving, work] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
  const events: string[] = []
  const passed = gate.pass(async () => {
    await gate.whileReceiving(receiving.promise, () => void events.push("checked"))
    events.push("received")
    return ok
  }, exchange)
  const alone = gate.alone(() => work.promise)
  receiving.resolve("body")
  await turn()
  assert.deepEqual(events, [])
  work.resolve()
  await Promise.all([passed, alone])
  assert.deepEqual(events, ["checked", "received"])
  const lost = gate.pass(async () => {
    await gate.whileReceiving(Promise.reject(new Error("lost")), () => undefined)
    return ok
  }, exchange)
  await assert.rejects(async () => lost, /lost/)
  assert.equal(await gate.alone(async () => "next"), "next")
})
