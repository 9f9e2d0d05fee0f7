import assert from "node:assert/strict"
import { test } from "node:test"
import { runVerb } from "../../../test/harness/verb.ts"
import { Problem } from "../../kernel/problem.ts"
import { listEvents } from "./list.ts"
import { eventIdAt } from "./rules.ts"
import { streamEvents } from "./stream.ts"

const clock = { now: () => 0 }

/** A feed with the positions from 3 to 9, whose event at position n is a second later than that before. */
function storeOf() {
  const calls: unknown[] = []
  const at = (position: number) => ({
    position,
    id: eventIdAt(position),
    event: position > 3 ? `evt_${position}_0123456789ab` : undefined,
    last: 9,
    removed: 3,
  })
  const events = {
    publish: async () => 0,
    at: async (position: number) => at(position),
    lastPosition: async () => 9,
    positionBefore: async (ms: number) => Math.min(9, Math.ceil(ms / 1000) - 1),
    async feed(after: number, accountId: number, limit: number) {
      calls.push(["feed", after, accountId, limit])
      return [{ id: "evt_4_a", json: '{"event":"pet.created"}' }]
    },
    async feedBefore(before: number, accountId: number, limit: number) {
      calls.push(["before", before, accountId, limit])
      return []
    },
  }
  const store = { events, transaction: (work: (tx: object) => Promise<unknown>) => work({ events }) }
  return { store, calls }
}

async function start(query: { after?: string; since?: string }, lastEventId?: string) {
  const { store } = storeOf()
  const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId }
  const outcome = await runVerb(
    streamEvents,
    { store, clock, headers, endpoint: { streams: true as const } },
    { query },
  )
  if (outcome instanceof Problem) return outcome.code
  assert.equal(outcome.last.position, 9)
  return outcome.after.position
}

test("a stream starts at the end, at a time, or after the last event that the client has", async () => {
  const id = (position: number) => `evt_${position}_0123456789ab`
  assert.equal(await start({}), 9)
  assert.deepEqual(
    [await start({ after: id(5) }), await start({ after: id(5) }, id(7)), await start({ after: id(5) }, "")],
    [5, 7, 5],
  )
  assert.deepEqual(
    [await start({ since: "1970-01-01T00:00:06Z" }), await start({ since: "2026-01-01T00:00:00Z" })],
    [5, 9],
  )
  assert.equal(await start({ since: "1970-01-01T00:00:06Z", after: id(7) }), 7)
  assert.deepEqual([await start({}, id(2)), await start({ after: id(99) })], ["event-unknown", "event-unknown"])
  assert.deepEqual(
    [await start({}, "x"), await start({ since: "2016-12-31T23:59:60Z" })],
    ["invalid-parameter", "invalid-parameter"],
  )
})

test("a page of the feed starts after an event, in either order", async () => {
  const list = async (query: { after?: string; limit: number; sort?: "-id" | "id" }) => {
    const { store, calls } = storeOf()
    const outcome = await runVerb(listEvents, { store, clock }, { query } as object)
    if (outcome instanceof Problem) return outcome.code
    assert.ok("json" in outcome)
    return [outcome.json, calls.at(-1)]
  }
  const shown = '[{"id":"evt_4_a","event":"pet.created"}]'
  assert.deepEqual(await list({ limit: 5 }), [shown, ["feed", 0, 7, 5]])
  assert.deepEqual(await list({ limit: 5, after: "evt_6_0123456789ab" }), [shown, ["feed", 6, 7, 5]])
  assert.deepEqual(await list({ limit: 5, sort: "-id" }), ["[]", ["before", Number.MAX_SAFE_INTEGER, 7, 5]])
  assert.deepEqual(await list({ limit: 5, sort: "-id", after: "evt_6_0123456789ab" }), ["[]", ["before", 6, 7, 5]])
  assert.equal(await list({ limit: 5, after: "evt_99_0123456789ab" }), "event-unknown")
})
