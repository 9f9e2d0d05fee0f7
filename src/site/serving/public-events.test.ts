import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import type { Api } from "../../api/operations/api.ts"
import { publicEvents } from "./public-events.ts"

/** Where the stream of a request starts, in a feed that ends at this position. */
async function start(last: number, query: string, headers: Record<string, string> = {}): Promise<number> {
  const opened: { after: { position: number }; last: { position: number }; holder: object }[] = []
  const eventAt = (position: number) => `evt_${position}_${"a".repeat(12)}`
  const at = async (position: number) => ({
    position,
    last,
    removed: 0,
    event: eventAt(position),
    id: eventAt(position),
  })
  const ports = { store: { events: { lastPosition: async () => last, at } } }
  const streams = { open: async (_exchange: unknown, stream: (typeof opened)[number]) => void opened.push(stream) }
  const exchange = exchangeOf(`/store/events${query}`, { headers })
  await publicEvents({ streams, ports } as unknown as Pick<Api, "streams" | "ports">)(exchange)
  const [stream] = opened
  assert.equal(exchange.isReadableAnywhere, false)
  assert.deepEqual([stream?.last.position, stream?.holder], [last, { kind: "anonymous", address: "192.0.2.1" }])
  return stream?.after.position ?? Number.NaN
}
const id = (position: number) => `evt_${position}_${"a".repeat(12)}`

test("a stream of public events resumes after a known event, and otherwise has those of the page", async () => {
  assert.equal(await start(150, ""), 0)
  assert.equal(await start(150, `?after=${id(7)}`), 7)
  assert.equal(await start(150, `?after=${id(7)}`, { "last-event-id": id(9) }), 9)
  assert.equal(await start(150, `?after=evt_7_${"b".repeat(12)}`), 0)
  assert.equal(await start(150, `?after=${id(151)}`), 0)
  assert.equal(await start(150, "?after=7"), 0)
  assert.equal(await start(300, ""), 100)
  assert.deepEqual([await start(300, `?after=${id(100)}`), await start(300, `?after=${id(101)}`)], [100, 101])
})
