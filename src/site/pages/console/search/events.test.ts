import assert from "node:assert/strict"
import { test } from "node:test"
import { openVisit } from "../../../../../test/harness/visit.ts"
import { findEvents } from "./events.ts"

const event = (id: string) => ({ id, event: "pet.created", data: { id: 7 }, timestamp: "1970-01-01T00:00:00.000Z" })

/** The events that a search finds, and what it asks for. */
async function find(text: string, { ids = ["evt_1", "evt_12", "evt_2"], mayGo = true } = {}) {
  const { visit, called } = openVisit({ calls: { listEvents: { value: ids.map(event) } }, mayGo: () => mayGo })
  const found = await findEvents(visit, text)
  return { called, ids: found && [...found.text.matchAll(/data-key="(\w+)"/g)].map(([, id]) => id) }
}

test("events are found by the beginning of their id, among the newest thousand", async () => {
  const called = [["listEvents", { query: { sort: "-id", limit: 1000 } }]]
  assert.deepEqual(await find("evt_1"), { called, ids: ["evt_1", "evt_12"] })
  assert.deepEqual(await find("evt_3"), { called, ids: undefined })
  const eleven = Array.from({ length: 11 }, (_, n) => `evt_1${n}`)
  assert.deepEqual((await find("evt_", { ids: eleven })).ids, eleven.slice(0, 10))
})

test("another text is not sought among events, and neither by those who may not see them", async () => {
  const none = { called: [], ids: undefined }
  for (const text of ["evt", "1_evt_", ""]) assert.deepEqual(await find(text), none, text)
  assert.deepEqual(await find("evt_1", { mayGo: false }), none)
})
