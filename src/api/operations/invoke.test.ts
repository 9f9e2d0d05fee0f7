import assert from "node:assert/strict"
import { test } from "node:test"
import { plainEndpoint } from "../../../test/harness/endpoint.ts"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import type { AnyOperation } from "../../domain/context.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { loadShedding } from "../../server/limits/load-shedding.ts"
import { type InvokeParts, invocable } from "./invoke.ts"

/** An operation on an endpoint like the plain one, invoked by an account or an anonymous client, and what it used. */
function invoked(operation: AnyOperation, more: Partial<Endpoint> = {}) {
  const load = loadShedding({ requestsMax: 1, loopDelayMaxMs: 1, loopDelayMs: () => 0 })
  const repeatable: unknown[] = []
  const parts = {
    ports: { store: {}, log: { info() {} } },
    load,
    runIdempotently(request: unknown, perform: (store: object) => unknown) {
      repeatable.push(request)
      return perform({})
    },
  } as unknown as InvokeParts
  const { invoke, readParameters } = invocable("listPets", { ...plainEndpoint, ...more }, operation, parts)
  function call({ account }: { account?: number } = {}) {
    const exchange = exchangeOf("/pet", { method: more.method ?? "GET" })
    exchange.caller = account === undefined ? undefined : principalOf(account).caller
    return invoke(exchange, { parameters: readParameters(exchange), received: Buffer.alloc(0), upload: undefined })
  }
  return { call, load, repeatable }
}

test("an operation is under way until it ends, at once or later, with a result or a failure", async () => {
  const failure = new Error("failed")
  const fail = () => {
    throw failure
  }
  const { promise, resolve } = Promise.withResolvers<object>()
  const later = invoked(() => promise)
  const running = later.call()
  assert.equal(later.load.underWay(), 1)
  resolve({})
  assert.equal((await running).json, "{}")

  const [now, refused, rejected] = [invoked(() => ({})), invoked(fail), invoked(async () => fail())]
  assert.equal((await now.call()).json, "{}")
  assert.throws(() => refused.call(), failure)
  await assert.rejects(async () => rejected.call(), failure)
  assert.deepEqual(
    [later, now, refused, rejected].map(({ load }) => load.underWay()),
    [0, 0, 0, 0],
  )
})

test("a request may be repeated where the operation allows it and the caller has an account", async () => {
  const request = { operation: "POST /pet", parameters: { params: {}, query: {} }, accountId: 7, status: 200 }
  for (const [idempotent, account, found] of [
    ["by-key", 7, [request]],
    ["by-key", undefined, []],
    [undefined, 7, []],
  ] as const) {
    const { call, repeatable } = invoked(() => ({}), { method: "POST", ...(idempotent && { idempotent }) })
    assert.equal((await call(account === undefined ? {} : { account })).json, "{}")
    assert.deepEqual(
      repeatable.map((one) => ({ ...(one as object), request: undefined, body: undefined })),
      found.map((one) => ({ ...one, request: undefined, body: undefined })),
    )
  }
})
