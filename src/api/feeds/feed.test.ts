import assert from "node:assert/strict"
import { test } from "node:test"
import pino from "pino"
import type { StreamPosition } from "../../domain/events/model.ts"
import { positionOf } from "../../domain/events/rules.ts"
import type { Database } from "../../domain/ports/store.ts"
import { type FeedItem, type Listener, openEventFeed } from "./feed.ts"

type Stored = { id: string; json: string; accountId: number | undefined; positionId: string }

/** A store of events at positions from 1, those of odd ones public and of even ones of the account 7. */
function feedOf(count: number) {
  const events: Stored[] = []
  const write = (more: number) => {
    for (let n = 0; n < more; n++) {
      const position = events.length + 1
      const accountId = position % 2 === 0 ? 7 : undefined
      events.push({ id: `evt_${position}_a`, json: "{}", accountId, positionId: `evt_${position}_0` })
    }
  }
  write(count)
  const calls: string[] = []
  const state = { isBroken: false }
  let committed: ((changes: ReadonlySet<string>) => void) | undefined
  const after = (position: number) => events.filter(({ id }) => positionOf(id) > position)
  const store = {
    events: {
      async published(position: number, limit: number) {
        calls.push(`published ${position}`)
        if (state.isBroken) throw new Error("broken")
        return after(position).slice(0, limit)
      },
      async feed(position: number, accountId: number, limit: number) {
        calls.push(`feed ${position} ${accountId}`)
        return after(position)
          .filter((event) => event.accountId === undefined || event.accountId === accountId)
          .slice(0, limit)
      },
      async publish() {
        calls.push("publish")
        return 0
      },
    },
    transaction: (work: (tx: unknown) => Promise<unknown>) => work(store),
    onCommit(listener: (changes: ReadonlySet<string>) => void) {
      committed = listener
      return () => {
        committed = undefined
      }
    },
  }
  const errors: string[] = []
  const log = pino({ base: null }, { write: (line) => void errors.push((JSON.parse(line) as { msg: string }).msg) })
  const feed = openEventFeed({ store: store as unknown as Database, clock: { now: () => 0 }, log })
  const commit = (...changes: string[]) => committed?.(new Set(changes))
  return { feed, write, commit, calls, errors, state }
}

const at = (position: number): StreamPosition => ({ position, id: `evt_${position}_0` })

function listenerAt(position: number, accountId: number | undefined = 7) {
  const received: number[] = []
  const sizes: number[] = []
  const state = { isReady: true, admits: true, becomesBusy: false }
  const listener: Listener = {
    accountId,
    reached: at(position),
    isReady: () => state.isReady,
    async admitPage() {
      state.isReady = !state.becomesBusy
      return state.admits
    },
    send(events: readonly FeedItem[]) {
      sizes.push(events.length)
      received.push(...events.map(({ id }) => positionOf(id)))
    },
  }
  return { listener, received, sizes, state }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

test("listeners that are up to date receive new events of everyone and of their account, read once", async () => {
  const { feed, write, commit, calls } = feedOf(3)
  const [own, other, anonymous] = [listenerAt(3), listenerAt(3, 8), listenerAt(3, undefined)]
  anonymous.listener.accountId = undefined
  for (const { listener } of [own, other, anonymous]) feed.add(listener, at(3))
  await feed.idle()
  calls.length = 0
  write(3)
  commit("pet-added")
  await feed.idle()
  assert.deepEqual(calls, [])
  commit("pet-added", "event-added")
  await feed.idle()
  assert.deepEqual([own.received, other.received, anonymous.received], [[4, 5, 6], [5], [5]])
  assert.deepEqual([own.listener.reached, other.listener.reached], [at(6), at(6)])
  assert.deepEqual(calls, ["publish", "published 3", "published 6"])
  feed.remove(other.listener)
  write(1)
  feed.check()
  await feed.idle()
  assert.deepEqual([own.received, other.received], [[4, 5, 6, 7], [5]])
  feed.close()
  write(1)
  commit("event-added")
  await feed.idle()
  assert.deepEqual(own.received, [4, 5, 6, 7])
})

test("without listeners nothing is read", async () => {
  const { feed, commit, calls } = feedOf(1)
  commit("event-added")
  await feed.idle()
  feed.check()
  await feed.idle()
  assert.deepEqual(calls, [])
})

test("a listener that is behind receives pages of its account, and then new events", async () => {
  const { feed, write, commit, calls } = feedOf(250)
  const { listener, received } = listenerAt(0)
  feed.add(listener, at(250))
  await feed.idle()
  assert.deepEqual(received, range(1, 250))
  assert.deepEqual(listener.reached, at(250))
  assert.deepEqual(
    calls.filter((call) => call.startsWith("feed")),
    ["feed 0 7", "feed 100 7", "feed 200 7"],
  )
  write(2)
  commit("event-added")
  await feed.idle()
  assert.deepEqual(received, range(1, 252))
})

test("a client without an account receives public events only, also of those that it has missed", async () => {
  const { feed, calls } = feedOf(4)
  const { listener, received } = listenerAt(0)
  listener.accountId = undefined
  feed.add(listener, at(4))
  await feed.idle()
  assert.deepEqual([received, listener.reached], [[1, 3], at(4)])
  assert.ok(calls.includes("feed 0 0"))
})

test("one that is not ready, or may not receive a page, misses nothing", async () => {
  const { feed, write } = feedOf(3)
  const [slow, unpaid, busy] = [listenerAt(3), listenerAt(1), listenerAt(1)]
  slow.state.isReady = false
  unpaid.state.admits = false
  busy.state.becomesBusy = true
  unpaid.listener.admitPage = async () => {
    unpaid.state.isReady = unpaid.state.admits
    return unpaid.state.admits
  }
  for (const { listener } of [slow, unpaid, busy]) feed.add(listener, at(3))
  write(2)
  feed.check()
  await feed.idle()
  assert.deepEqual([slow.received, unpaid.received, busy.received], [[], [], []])
  assert.deepEqual(
    [slow, unpaid, busy].map(({ listener }) => listener.reached.position),
    [3, 1, 1],
  )
  slow.state.isReady = true
  Object.assign(unpaid.state, { isReady: true, admits: true })
  Object.assign(busy.state, { isReady: true, becomesBusy: false })
  feed.check()
  await feed.idle()
  assert.deepEqual(
    [slow.received, unpaid.received, busy.received],
    [
      [4, 5],
      [2, 3, 4, 5],
      [2, 3, 4, 5],
    ],
  )
})

test("the first listener decides where new events begin, and one ahead receives none twice", async () => {
  const { feed, write, calls } = feedOf(5)
  const ahead = listenerAt(7)
  feed.add(ahead.listener, at(5))
  write(3)
  await feed.idle()
  assert.deepEqual([calls[1], ahead.received], ["published 5", [8]])
  const later = listenerAt(8)
  feed.add(later.listener, at(99))
  write(1)
  await feed.idle()
  assert.deepEqual([ahead.received, later.received], [[8, 9], [9]])
})

test("a failure is logged, and the next check continues", async () => {
  const { feed, errors, state } = feedOf(2)
  const { listener, received } = listenerAt(0)
  state.isBroken = true
  feed.add(listener, at(0))
  await feed.idle()
  assert.deepEqual([errors, received], [["event streams could not be continued"], []])
  state.isBroken = false
  feed.check()
  await feed.idle()
  assert.deepEqual(received, [1, 2])
})

test("a listener is sent nothing where no event is for it", async () => {
  const { feed, write } = feedOf(1)
  const { listener, sizes } = listenerAt(1, 8)
  feed.add(listener, at(1))
  write(1)
  feed.check()
  await feed.idle()
  assert.deepEqual([sizes, listener.reached], [[], at(2)])
})
