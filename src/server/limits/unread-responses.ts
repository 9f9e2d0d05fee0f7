// Decision: docs/decisions/rate-limiting.md#unread-responses-have-budgets-per-account-not-per-address

import type { ServerResponse } from "node:http"
import { gauge } from "../../kernel/measure.ts"
import { pageBytesMax } from "../../kernel/page.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import { HeldResponse, Share } from "./held-response.ts"
import type { UnreadBudgets } from "./unread-budgets.ts"

export type UnreadResponses = ReturnType<typeof unreadResponses>

/** Bounds the memory that slow readers take. */
export function unreadResponses(budgets: UnreadBudgets, now: () => number) {
  const held = new Map<ServerResponse, HeldResponse>()
  const shares = new Map<string, Share>()
  const all = new Share(budgets.total)
  const accountMiB = Math.round(budgets.perAccount / 1024 ** 2)
  const accountIsFull = `Clients of this account have not read ${accountMiB} MiB of responses: read them first`

  function find(exchange: Exchange): HeldResponse | undefined {
    const { request, response } = exchange
    const known = held.get(response)
    // After a disconnect the response does not emit `close` again.
    if (known || response.destroyed) return known
    const account = accountOf(exchange)
    const share = shares.get(account) ?? new Share(budgets.perAccount)
    const one = new HeldResponse(request.socket, [share, all], budgets.perConnection)
    held.set(response, one)
    shares.set(account, share)
    share.responses++
    response.once("close", () => {
      held.delete(response)
      one.release()
      if (--share.responses === 0) shares.delete(account)
    })
    return one
  }

  /** The budget that these bytes would exceed. */
  const fullFor = (account: Share | undefined, bytes: number): Share | undefined =>
    [account, all].find((share) => share && !share.hasRoomFor(bytes))

  function refuse(full: Share): never {
    full.closeLongestUnread(now())
    throw overloaded(full === all ? "The service has reached its limit of unread responses" : accountIsFull)
  }

  return {
    /** Throws the 503 when the budget of the account or the process has no room for another page. */
    requireRoom(exchange: Exchange): void {
      if (all.bytes === 0) return
      const full = fullFor(shares.get(accountOf(exchange)), pageBytesMax)
      if (full) refuse(full)
    },

    /** Charges a response before it is written. Throws the 503 for a read that would exceed a budget. */
    hold(exchange: Exchange, bytes: number): void {
      const one = find(exchange)
      if (!one) return
      const isRead = exchange.method === "GET" || exchange.method === "HEAD"
      if (isRead && bytes > budgets.perConnection) throw overloaded("The response exceeds the maximum size")
      const full = fullFor(one.shares[0], bytes - one.bytes)
      // A committed change is not reported as refused.
      if (full && isRead) refuse(full)
      full?.closeLongestUnread(now())
      one.chargeWhole(bytes)
    },

    /** Tracks a response that is being written: as a stream or, if `isPaced`, at the minimum rate. */
    follow: (exchange: Exchange, isPaced = false): void => find(exchange)?.follow(now(), isPaced),

    /** Updates every response, and closes connections that are too slow or exceed a budget. */
    sweep(at: number): void {
      for (const one of held.values()) one.update(at)
      for (const share of [...shares.values(), all]) while (!share.hasRoomFor(0) && share.closeLongestUnread(now()));
    },

    metrics: [gauge("petstore_unread_response_bytes", help, () => all.bytes)],
  }
}

const overloaded = (detail: string): Problem => new Problem("overloaded", detail, { retryAfter: 2 })

const help = "Bytes of responses held in memory for clients that have not read them"

/** Ids of accounts repeat in named sandboxes. Anonymous clients count as one account. */
const accountOf = ({ caller, sandbox = "" }: Exchange): string => (caller ? `${sandbox}/${caller.account.id}` : "")
