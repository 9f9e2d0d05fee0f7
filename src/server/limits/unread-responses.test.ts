import assert from "node:assert/strict"
import { EventEmitter } from "node:events"
import { test } from "node:test"
import { pageBytesMax } from "../../kernel/endpoint/page.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { unreadResponses } from "./unread-responses.ts"

const mebibyte = 1024 * 1024
const budgets = { perConnection: 4 * mebibyte, perAccount: 8 * mebibyte, total: 12 * mebibyte }

/** The responses of a process whose time the test sets, and exchanges whose clients read nothing until it lets them. */
function watched(of = budgets) {
  let now = 0
  const unread = unreadResponses(of, () => now)
  function exchangeOf(account?: number, { method = "GET", prefix = "" } = {}) {
    const socket = {
      bytesWritten: 0,
      writableLength: 0,
      isDestroyed: false,
      destroy() {
        socket.isDestroyed = true
      },
    }
    const response = Object.assign(new EventEmitter(), { destroyed: false })
    const caller = account === undefined ? undefined : { account: { id: account } }
    const exchange = { method, caller, mount: { prefix }, request: { socket }, response } as unknown as Exchange
    return { exchange, socket, end: () => void response.emit("close"), response }
  }
  const held = async () => {
    const [metric] = unread.metrics
    if (metric?.type !== "gauge") throw new Error("no gauge")
    return (await metric.read())[0]?.value
  }
  return {
    unread,
    exchangeOf,
    held,
    setNow: (at: number) => {
      now = at
    },
  }
}

/** Holds a response of so many MiB, which is being written. */
function send(
  { unread, exchangeOf }: ReturnType<typeof watched>,
  mib: number,
  ...of: Parameters<ReturnType<typeof watched>["exchangeOf"]>
) {
  const one = exchangeOf(...of)
  unread.hold(one.exchange, mib * mebibyte)
  unread.follow(one.exchange)
  one.socket.writableLength = mib * mebibyte
  return one
}

const overloaded = (detail: string) => ({ code: "overloaded", retryAfter: 2, detail })
const ofAccount = overloaded("Clients of this account have not read 8 MiB of responses: read them first")
const ofAll = overloaded("The service has reached its limit of unread responses")

test("a read is refused when its account has too much unread, until a response is over", async () => {
  const all = watched()
  const [first] = [send(all, 4, 1), send(all, 4, 1)]
  assert.equal(await all.held(), 8 * mebibyte)
  assert.throws(() => send(all, 1, 1), ofAccount)
  send(all, 1, 2)
  send(all, 1, 1, { prefix: "/s/a" })
  send(all, 1)
  first.end()
  send(all, 1, 1)
  assert.equal(await all.held(), 8 * mebibyte)
  assert.throws(() => send(all, 4, 1), ofAccount)
})

test("anonymous clients are one account", () => {
  const all = watched()
  send(all, 4)
  send(all, 4)
  assert.throws(() => send(all, 1), ofAccount)
})

test("a read is refused when all accounts together have too much unread", () => {
  const all = watched()
  for (const account of [1, 2, 3]) send(all, 4, account)
  assert.throws(() => send(all, 1, 4), ofAll)
  assert.throws(() => all.unread.requireUnreadBudget(all.exchangeOf(4).exchange), ofAll)
})

test("a response larger than a connection may have is refused to a read; a change is never refused", () => {
  const all = watched()
  send(all, 4, 1)
  for (const method of ["GET", "HEAD"])
    assert.throws(() => send(all, 4.5, 1, { method }), overloaded("The response exceeds the maximum size"))
  send(all, 5, 1, { method: "POST" })
  send(all, 5, 1, { method: "PUT" })
})

test("what a response has been charged already counts once", () => {
  const all = watched()
  send(all, 4, 1)
  const { exchange } = send(all, 4, 1)
  all.unread.hold(exchange, 4 * mebibyte)
})

test("a page is read only while the account has space for one", () => {
  const all = watched()
  const mayRead = (account: number) => all.unread.requireUnreadBudget(all.exchangeOf(account).exchange)
  mayRead(1)
  send(all, 4, 1)
  send(all, 4 - pageBytesMax / mebibyte, 1)
  mayRead(1)
  send(all, 1 / mebibyte, 1)
  assert.throws(() => mayRead(1), ofAccount)
  mayRead(2)
})

test("a page is read while nothing is unread, however small the budget", () => {
  const small = watched({ ...budgets, perAccount: 10, total: 10 })
  const { exchange, socket, end } = small.exchangeOf(1)
  small.unread.requireUnreadBudget(exchange)
  small.unread.follow(exchange)
  socket.writableLength = 1
  small.unread.sweep(1)
  assert.throws(() => small.unread.requireUnreadBudget(exchange), { code: "overloaded" })
  end()
  small.unread.sweep(2)
  small.unread.requireUnreadBudget(exchange)
})

test("when there is no space, the client that has read nothing for longest is cut", () => {
  const all = watched()
  const longest = send(all, 4, 1)
  all.unread.sweep(0)
  all.setNow(10)
  const later = send(all, 4, 1)
  all.unread.sweep(10)
  all.setNow(999)
  assert.throws(() => send(all, 1, 1), ofAccount)
  assert.equal(longest.socket.isDestroyed, false)
  all.setNow(1_000)
  assert.throws(() => send(all, 1, 1), ofAccount)
  assert.deepEqual([longest.socket.isDestroyed, later.socket.isDestroyed], [true, false])
  all.setNow(1_010)
  send(all, 4, 1)
  send(all, 1, 1, { method: "POST" })
  assert.equal(later.socket.isDestroyed, true)
})

test("a check cuts the slow clients of a full budget, but no others", () => {
  const all = watched()
  const changes = [1, 2, 3].map(() => send(all, 4, 1, { method: "POST" }))
  const other = send(all, 1, 2, { method: "POST" })
  all.unread.sweep(0)
  all.setNow(1_000)
  all.unread.sweep(1_000)
  assert.deepEqual(
    [...changes, other].map(({ socket }) => socket.isDestroyed),
    [true, false, false, false],
  )
})

test("a check of a full service cuts clients of any account", () => {
  const all = watched()
  const changes = [1, 2, 3, 4].map((account) => send(all, 4, account, { method: "POST" }))
  all.unread.sweep(0)
  all.setNow(1_000)
  all.unread.sweep(1_000)
  assert.deepEqual(
    changes.map(({ socket }) => socket.isDestroyed),
    [true, false, false, false],
  )
})

test("a stream is charged what is unread, and is cut at the limit of a connection", async () => {
  const all = watched()
  const { exchange, socket } = all.exchangeOf(1)
  all.unread.follow(exchange)
  socket.writableLength = 4 * mebibyte
  all.unread.sweep(1)
  assert.deepEqual([await all.held(), socket.isDestroyed], [4 * mebibyte, false])
  socket.writableLength++
  all.unread.sweep(2)
  assert.equal(socket.isDestroyed, true)
})

test("a paced response that is not read is cut after ten seconds, another one is not", () => {
  const all = watched()
  const [paced, other] = [all.exchangeOf(1), all.exchangeOf(1)]
  for (const { exchange } of [paced, other]) all.unread.hold(exchange, mebibyte)
  all.unread.follow(paced.exchange, true)
  all.unread.follow(other.exchange)
  all.unread.sweep(10_000)
  assert.equal(paced.socket.isDestroyed, false)
  all.unread.sweep(10_001)
  assert.deepEqual([paced.socket.isDestroyed, other.socket.isDestroyed], [true, false])
})

test("a response whose client has left is not charged", async () => {
  const all = watched()
  const { exchange, response } = all.exchangeOf(1)
  response.destroyed = true
  all.unread.hold(exchange, mebibyte)
  all.unread.follow(exchange)
  assert.equal(await all.held(), 0)
})

test("when one of two responses is over, the other still counts against the account", () => {
  const all = watched()
  const [first] = [send(all, 4, 1), send(all, 4, 1)]
  first.end()
  send(all, 4, 1)
  assert.throws(() => send(all, 1, 1), ofAccount)
})

test("a response that is over is charged no more by what its connection sends next", async () => {
  const all = watched()
  const { exchange, socket, end } = all.exchangeOf(1)
  all.unread.follow(exchange)
  socket.writableLength = mebibyte
  all.unread.sweep(0)
  assert.equal(await all.held(), mebibyte)
  end()
  all.unread.sweep(0)
  assert.equal(await all.held(), 0)
})
