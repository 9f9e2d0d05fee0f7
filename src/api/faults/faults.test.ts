import assert from "node:assert/strict"
import { test } from "node:test"
import { plainEndpoint } from "../../../test/harness/endpoint.ts"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { mockTimeouts } from "../../../test/harness/timeouts.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Invocable } from "../operations/invoke.ts"
import { createFaultRules } from "./fault-rules.ts"
import { createFaults } from "./faults.ts"

const ok: HttpResponse = { status: 200, headers: [], body: '{"id":1}' }
const endpoint: Invocable["endpoint"] = plainEndpoint

function failing() {
  const rules = createFaultRules()
  const faults = createFaults({
    plans: { free: undefined, pro: undefined, enterprise: undefined },
    publicUrl: () => "https://a.example",
    rules,
    respondToError: (_, error) => ({ status: 400, headers: [], body: (error as { code: string }).code }),
  })
  let calls = 0
  async function ask(prefer: string, response: HttpResponse | Error | "streamed" = ok) {
    const exchange = exchangeOf("/api/v3/pet", { headers: { prefer } })
    const handle = faults.step(
      async () => {
        calls++
        if (response instanceof Error) throw response
        return response === "streamed" ? undefined : response
      },
      { name: "listPets", endpoint } as Invocable,
    )
    const before = calls
    const written = await handle(exchange)
    return { written, isDone: calls > before, exchange, isClosed: exchange.response.destroyed }
  }
  return { ask, faults, rules }
}

test("a request without a fault is handled as it is", async () => {
  const { ask } = failing()
  for (const prefer of ["handling=strict", "code=200"]) {
    const { written, isDone } = await ask(prefer)
    assert.deepEqual([written, isDone], [ok, true])
  }
})

test("a fault comes before the operation, instead of it, or after it", async () => {
  const { ask } = failing()
  const early = await ask("fault=html")
  assert.deepEqual([early.written?.status, early.isDone], [502, false])
  const dropped = await ask("fault=drop")
  assert.deepEqual([dropped.written, dropped.isDone, dropped.isClosed], [undefined, false, true])
  const refused = await ask("code=503")
  assert.deepEqual([refused.written?.body, refused.isDone], ["overloaded", false])
  const lost = await ask("fault=lose")
  assert.deepEqual([lost.written, lost.isDone, lost.isClosed], [undefined, true, true])
  const both = await ask("code=503, fault=lose")
  assert.deepEqual([both.written, both.isDone, both.exchange.sent], [undefined, false, "overloaded"])
  const failed = await ask("fault=truncate", Object.assign(new Error(), { code: "pet-exists" }))
  assert.equal(failed.written?.status, 400)
  const waited = await ask("wait=0", Object.assign(new Error(), { code: "pet-exists" }))
  assert.deepEqual([waited.written?.body, waited.isDone], ["pet-exists", true])
})

test("a stream that has started is closed by a fault of its response, and not by a delay", async () => {
  const { ask } = failing()
  for (const [prefer, isClosed] of [
    ["fault=slow", true],
    ["fault=lose", true],
    ["wait=0.001", false],
  ] as const)
    assert.deepEqual((await ask(prefer, "streamed")).isClosed, isClosed, prefer)
})

test("a response waits as many seconds as its fault says, or until all faults are forgotten", async (t) => {
  const timers = mockTimeouts(t)
  const { ask, faults, rules } = failing()
  const ended: string[] = []
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const begin = async (prefer: string) => {
    void ask(prefer).then(() => ended.push(prefer))
    await turn()
  }
  for (const prefer of ["wait=2", "wait=2, fault=html"]) {
    await begin(prefer)
    timers.tick(1999)
    await turn()
    assert.deepEqual(ended, [])
    timers.tick(1)
    await turn()
    assert.deepEqual(ended.splice(0), [prefer])
  }
  rules.replace([{ rule: {}, requests: {}, webhooks: undefined, operations: [], path: undefined }])
  await begin("wait=3")
  faults.forget()
  await turn()
  assert.deepEqual([ended, rules.read()], [["wait=3"], []])
})

test("delayed and slow responses take one of 64 slots, until they end", async () => {
  const { ask, faults } = failing()
  for (let n = 0; n < 64; n++) await ask(n % 2 === 0 ? "wait=0.001" : "fault=slow")
  for (const prefer of ["wait=0.001", "fault=slow"]) await assert.rejects(ask(prefer), { code: "unavailable" })
  for (const prefer of ["wait=0", "fault=garbage", "code=503"]) assert.ok((await ask(prefer)).written)
  faults.drain()
  const early = failing()
  early.faults.drain()
  const { written } = await early.ask("wait=30, fault=html")
  assert.equal(written?.status, 502)
})
