import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { gauge, type Metric } from "../../kernel/measure.ts"
import { pageBytesMax } from "../../kernel/page.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import { accountIsFull, processIsFull, responseIsTooLarge, type UnreadBudgets } from "./unread-budgets.ts"

/** A client gets this long before it must take a large response at the slowest rate. */
const graceMs = 10_000
const slowestBytesPerSecond = 64 * 1024
/** A connection counts as unread when its client has taken nothing for this long. */
const stalledMs = 1_000

/** What is held for one account, or by the process; of what is being written, the response unread for longest comes first. */
type Share = { bytes: number; max: number; responses: number; unread: Set<Held> }

/** A response of which something is held in memory. */
type Held = {
  socket: Socket
  share: Share
  bytes: number
  /** Held as a whole until its last byte has been written; of a stream, only what was written and not taken is. */
  isWhole: boolean
  /** Closed when the client takes less than the slowest rate. */
  isPaced: boolean
  /** When writing began, in milliseconds, and what the socket had sent by then. Undefined while the response is held back. */
  writing: { since: number; sentBefore: number } | undefined
  /** How many bytes the client had taken when it was last looked at, and when it last took some. */
  taken: number
  takenAt: number
}

/** Bounds the memory that clients take by not reading. */
export type UnreadResponses = {
  /** Throws the 503 when the caller's account, or the process, has no room for another page. */
  requireRoom(exchange: Exchange): void
  /** Charges a response that is ready, before it is written. Throws the 503 for a read that would exceed a budget. */
  hold(exchange: Exchange, bytes: number): void
  /** Follows a response that is being written, as a stream or, when it was charged as a whole, at no less than the slowest rate. */
  follow(exchange: Exchange, isPaced?: boolean): void
  /** Looks at what was taken meanwhile, and closes connections that are too slow, or too much together. */
  sweep(now: number): void
  metrics: readonly Metric[]
}

export function unreadResponses(budgets: UnreadBudgets, now: () => number): UnreadResponses {
  const held = new Map<ServerResponse, Held>()
  const shares = new Map<string, Share>()
  const all: Share = { bytes: 0, max: budgets.total, responses: 0, unread: new Set() }

  function find(exchange: Exchange): Held | undefined {
    const { request, response } = exchange
    const known = held.get(response)
    // The client may have gone meanwhile, and its response will not close again.
    if (known || response.destroyed) return known
    const account = accountOf(exchange)
    const share = shares.get(account) ?? { bytes: 0, max: budgets.perAccount, responses: 0, unread: new Set() }
    const unwritten = { isWhole: false, isPaced: false, writing: undefined, taken: 0, takenAt: 0 }
    const one: Held = { socket: request.socket, share, bytes: 0, ...unwritten }
    held.set(response, one)
    shares.set(account, share)
    share.responses++
    response.once("close", () => {
      held.delete(response)
      release(one)
      if (--share.responses === 0) shares.delete(account)
    })
    return one
  }

  function charge(one: Held, bytes: number): void {
    one.share.bytes += bytes - one.bytes
    all.bytes += bytes - one.bytes
    one.bytes = bytes
  }

  function release(one: Held): void {
    charge(one, 0)
    for (const { unread } of [one.share, all]) unread.delete(one)
  }

  function closeLongestUnread({ unread }: Share): boolean {
    const [longest] = unread
    if (!longest || now() - longest.takenAt < stalledMs) return false
    release(longest)
    longest.socket.destroy()
    return true
  }

  /** Which budget so many bytes more would exceed. */
  function exceeded(share: Share | undefined, bytes: number): Share | undefined {
    if (share && share.bytes + bytes > share.max) return share
    return all.bytes + bytes > all.max ? all : undefined
  }

  function refuse(full: Share): never {
    closeLongestUnread(full)
    throw full === all ? processIsFull() : accountIsFull(budgets)
  }

  function look(one: Held, at: number): void {
    const { socket, writing } = one
    if (!writing) return
    const taken = sentBy(socket) - writing.sentBefore
    if (!one.isWhole) charge(one, socket.writableLength)
    if (taken > one.taken || one.bytes === 0) for (const { unread } of [one.share, all]) unread.delete(one)
    if (taken > one.taken) one.takenAt = at
    one.taken = taken
    if (one.bytes > 0) for (const { unread } of [one.share, all]) unread.add(one)
    const allowedMs = graceMs + (taken / slowestBytesPerSecond) * 1000
    const isTooMuch = !one.isWhole && one.bytes > budgets.perConnection
    if (isTooMuch || (one.isPaced && at - writing.since > allowedMs)) socket.destroy()
  }

  return {
    requireRoom(exchange) {
      if (all.bytes === 0) return
      const full = exceeded(shares.get(accountOf(exchange)), pageBytesMax)
      if (full) refuse(full)
    },

    hold(exchange, bytes) {
      const one = find(exchange)
      if (!one) return
      const isRead = exchange.method === "GET" || exchange.method === "HEAD"
      if (isRead && bytes > budgets.perConnection) throw responseIsTooLarge()
      const full = exceeded(one.share, bytes - one.bytes)
      // What has been changed is not reported as refused.
      if (full && isRead) refuse(full)
      if (full) closeLongestUnread(full)
      one.isWhole = true
      charge(one, bytes)
    },

    follow(exchange, isPaced = false) {
      const one = find(exchange)
      if (!one) return
      const at = now()
      const { socket } = one
      one.isPaced = isPaced
      one.takenAt = at
      one.writing = { since: at, sentBefore: sentBy(socket) }
      look(one, at)
    },

    sweep(at) {
      for (const one of held.values()) look(one, at)
      for (const share of [...shares.values(), all]) while (share.bytes > share.max && closeLongestUnread(share));
    },

    metrics: [
      gauge(
        "petstore_unread_response_bytes",
        "Bytes of responses held in memory for clients that have not read them",
        () => all.bytes,
      ),
    ],
  }
}

/** How many bytes a socket has handed to the system. */
const sentBy = (socket: Socket): number => (socket.bytesWritten ?? 0) - socket.writableLength

/** Accounts of a named sandbox have the ids of others. Anonymous clients count as one account. */
const accountOf = ({ caller, sandbox = "" }: Exchange): string => (caller ? `${sandbox}/${caller.account.id}` : "")
