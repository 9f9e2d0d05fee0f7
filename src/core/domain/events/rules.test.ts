import assert from "node:assert/strict"
import { test } from "node:test"
import { eventIdAt, eventIdOf, isInFeed, positionOf } from "./rules.ts"

test("an id has the position of its event and a check value", () => {
  assert.equal(eventIdOf(12, "ab"), "evt_12_ab")
  assert.equal(positionOf("evt_12_ab"), 12)
  assert.deepEqual(
    [eventIdAt(3), eventIdAt(3, 255), eventIdAt(3, -255)],
    ["evt_3_000000000000", "evt_3_0000000000ff", "evt_3_0000000000ff"],
  )
  assert.equal(eventIdAt(3, 2 ** 48 + 1), "evt_3_000000000001")
})

test("a client resumes after an id in the feed whose following events are kept", () => {
  const feed = { position: 5, last: 9, removed: 3, event: undefined, id: "evt_5_0000000000ff" }
  const isIn = (id: string, event?: string) => isInFeed(id, { ...feed, event })
  assert.equal(isIn("evt_5_aa", "evt_5_aa"), true)
  assert.equal(isIn("evt_5_0000000000ff", "evt_5_aa"), true)
  assert.equal(isIn("evt_5_000000000000", "evt_5_aa"), true)
  assert.equal(isIn("evt_5_bb", "evt_5_aa"), false, "of another service")
  assert.equal(isIn("evt_9_aa", "evt_9_aa"), true)
  assert.equal(isIn("evt_10_aa", "evt_10_aa"), false, "after the last")
  assert.equal(isIn("evt_3_aa"), true, "of a removed event only the position is known")
  assert.equal(isIn("evt_4_aa"), false)
  assert.equal(isIn("evt_2_aa", "evt_2_aa"), false, "before what was removed")
})
