import assert from "node:assert/strict"
import { test } from "node:test"
import { emptyExchange } from "../../../test/harness/exchange.ts"
import type { JournalEntry, RequestJournal } from "../../domain/sandbox/model.ts"
import { Journals } from "../../sandbox/journal.ts"
import type { Listener } from "../feeds/feed.ts"
import { entryPosition, openJournalFeed } from "./journal-feed.ts"

function feedOf(count: number, entriesMax = 1000) {
  const journal = new Journals({ entriesMax }).open({ now: () => 0 })
  const add = (more = 1) => {
    for (let n = 0; n < more; n++) journal.add(emptyExchange)
  }
  add(count)
  return { feed: openJournalFeed(journal), journal, add }
}

function listenerAt(position: number) {
  const batches: number[][] = []
  const state = { isReady: true }
  const listener: Listener = {
    accountId: undefined,
    reached: entryPosition(position),
    isReady: () => state.isReady,
    admitPage: async () => true,
    send: (items) =>
      void batches.push(
        items.map(({ id, json }) => {
          assert.equal((JSON.parse(json) as { id: number }).id, Number(id))
          return Number(id)
        }),
      ),
  }
  return { listener, batches, state, ids: () => batches.flat() }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

test("a listener receives what it has missed, twenty entries at once, and then each new one", async () => {
  const { feed, add } = feedOf(50)
  const { listener, batches, ids } = listenerAt(5)
  feed.add(listener, entryPosition(50))
  await feed.idle()
  assert.deepEqual(batches, [range(6, 25), range(26, 45), range(46, 50)])
  add()
  await feed.idle()
  assert.deepEqual([ids().at(-1), listener.reached], [51, { position: 51, id: "51" }])
})

test("listeners receive the same entries, also of different positions, and none after they are removed", async () => {
  const { feed, add } = feedOf(2)
  const [one, two] = [listenerAt(0), listenerAt(1)]
  feed.add(one.listener, entryPosition(2))
  feed.add(two.listener, entryPosition(2))
  await feed.idle()
  feed.remove(one.listener)
  add()
  await feed.idle()
  assert.deepEqual(
    [one.ids(), two.ids()],
    [
      [1, 2],
      [2, 3],
    ],
  )
})

test("one that is not ready receives the entries later, without those that were removed meanwhile", async () => {
  const { feed, add, journal } = feedOf(0, 3)
  const { listener, ids, state } = listenerAt(0)
  state.isReady = false
  feed.add(listener, entryPosition(0))
  add(5)
  await feed.idle()
  assert.deepEqual(ids(), [])
  state.isReady = true
  feed.check()
  await feed.idle()
  assert.deepEqual([ids(), journal.last()], [[3, 4, 5], 5])
})

test("an entry is searched for credentials once for listeners that are equally far, and remembered no longer", async () => {
  const journal = new Journals().open({ now: () => 0 })
  journal.add(emptyExchange)
  const [entry] = journal.newest()
  assert.ok(entry)
  let reads = 0
  const { id, at, bytes, facts } = entry
  const counted: JournalEntry = {
    id,
    at,
    bytes,
    facts,
    read() {
      reads++
      return entry.read()
    },
  }
  const after = (position: number) => (position < id ? [counted] : [])
  const feed = openJournalFeed({ after, listen: () => () => {} } as unknown as RequestJournal)
  const listeners = [listenerAt(0), listenerAt(0)]
  for (const { listener, state } of listeners) {
    state.isReady = false
    feed.add(listener, entryPosition(0))
  }
  await feed.idle()
  for (const { state } of listeners) state.isReady = true
  feed.check()
  await feed.idle()
  assert.deepEqual([listeners.map(({ ids }) => ids()), reads], [[[1], [1]], 1])
  const later = listenerAt(0)
  feed.add(later.listener, entryPosition(0))
  await feed.idle()
  assert.deepEqual([later.ids(), reads], [[1], 2])
})

test("after the feed is closed, additions are not sent", async () => {
  const { feed, add } = feedOf(1)
  const { listener, ids } = listenerAt(1)
  feed.add(listener, entryPosition(1))
  await feed.idle()
  feed.close()
  add()
  await feed.idle()
  assert.deepEqual(ids(), [])
})
