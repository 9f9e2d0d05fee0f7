import assert from "node:assert/strict"
import { test } from "node:test"
import { plainEndpoint } from "../../../test/harness/endpoint.ts"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import type { Invocable } from "./invoke.ts"
import { type StreamParts, streamOpener } from "./open-stream.ts"

type Opened = { replay?: { isFirstPaid: boolean }; recheck(): Promise<unknown> }

const start = { after: { position: 1, id: "evt_1_0" }, last: { position: 2, id: "evt_2_0" } }

/** Opens a stream of the account 7, and says with what. */
async function open(
  more: Partial<Endpoint>,
  headers: Record<string, string> = {},
  { url = "/pet", isPaid = true } = {},
) {
  const opened: Opened[] = []
  const readmitted: unknown[] = []
  const endpoint: Endpoint = { ...plainEndpoint, streams: true, ...more }
  const operation = { endpoint, readParameters: () => ({}), startStream: async () => start }
  const parts = {
    streams: { open: async (_: unknown, requested: Opened) => void opened.push(requested) },
    readmit: async (_: unknown, { path }: Endpoint) => {
      readmitted.push(path)
      return { expiresAt: 5 }
    },
    takeFromPlan: async () => undefined,
  }
  const exchange = exchangeOf(url, { headers })
  exchange.caller = principalOf(7).caller
  await streamOpener(operation as unknown as Invocable, parts as unknown as StreamParts)(exchange, exchange, isPaid)
  assert.equal(opened.length, 1)
  const [{ recheck, replay, ...requested }] = opened as [Opened]
  assert.deepEqual([await recheck(), readmitted], [5, ["/pet"]])
  return { ...requested, isFirstPaid: replay?.isFirstPaid }
}

test("a stream starts where its operation says, and its replay is paid unless the operation costs nothing", async () => {
  const requested = { ...start, holder: { kind: "account", id: 7 } }
  assert.deepEqual(await open({}), { ...requested, isFirstPaid: true })
  assert.deepEqual(await open({}, {}, { isPaid: false }), { ...requested, isFirstPaid: false })
  assert.deepEqual(await open({ cost: 0 }), { ...requested, isFirstPaid: undefined })
})

test("a request that does not accept a stream, has a body, or a parameter that a strict one may not have, is refused", async () => {
  const strict = { prefer: "handling=strict" }
  await assert.rejects(open({}, { accept: "application/json" }), { code: "not-acceptable" })
  await assert.rejects(open({}, { "content-length": "100" }), { code: "unsupported-media-type" })
  await assert.rejects(open({}, strict, { url: "/pet?a=1" }), { code: "invalid-parameter" })
  assert.equal((await open({}, {}, { url: "/pet?a=1" })).isFirstPaid, true)
})
