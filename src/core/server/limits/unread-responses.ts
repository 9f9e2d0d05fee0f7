// Decision: docs/decisions/rate-limiting.md#unread-responses-have-budgets-per-account-not-per-address

import type { ServerResponse } from "node:http"
import { pageBytesMax } from "../../kernel/endpoint/page.ts"
import { gauge, type Metric } from "../../kernel/measure.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { HeldResponse, Share } from "./held-response.ts"
import type { UnreadBudgets } from "./unread-budgets.ts"

export type UnreadResponses = {
  /** Throws the 503 when the budget of the account or the process does not allow another page. */
  requireUnreadBudget(exchange: Exchange): void
  /** Charges a response before it is written. Throws the 503 for a read that would exceed a budget. */
  hold(exchange: Exchange, bytes: number): void
  /** Tracks a response that is being written: as a stream or, if `isPaced`, at the minimum rate. */
  follow(exchange: Exchange, isPaced?: boolean): void
  /** Updates every response, and closes connections that are too slow or exceed a budget. */
  sweep(at: number): void
  metrics: readonly Metric[]
}

/** Bounds the memory that slow readers take. */
export function unreadResponses(budgets: UnreadBudgets, now: () => number): UnreadResponses {
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
    [account, all].find((share) => share && !share.hasSpaceFor(bytes))

  function refuse(full: Share): never {
    full.closeLongestUnread(now())
    throw overloaded(full === all ? "The service has reached its limit of unread responses" : accountIsFull)
  }

  return {
    requireUnreadBudget(exchange) {
      if (all.bytes === 0) return
      const full = fullFor(shares.get(accountOf(exchange)), pageBytesMax)
      if (full) refuse(full)
    },

    hold(exchange, bytes) {
      const one = find(exchange)
      if (!one) return
      const isRead = exchange.method === "GET" || exchange.method === "HEAD"
      const full = fullFor(one.shares[0], bytes - one.bytes)
      // A committed change is not reported as refused.
      if (full && isRead) refuse(full)
      full?.closeLongestUnread(now())
      one.chargeWhole(bytes)
    },

    follow: (exchange, isPaced = false) => find(exchange)?.follow(now(), isPaced),

    sweep(at) {
      for (const one of held.values()) one.update(at)
      for (const share of [...shares.values(), all]) while (!share.hasSpaceFor(0) && share.closeLongestUnread(now()));
    },

    metrics: [gauge("petstore_unread_response_bytes", help, () => all.bytes)],
  }
}

const overloaded = (detail: string): Problem => new Problem("overloaded", detail, { retryAfter: 2 })

const help = "Bytes of responses held in memory for clients that have not read them"

/** Ids of accounts repeat in mounts. Anonymous clients count as one account. */
const accountOf = ({ caller, mount }: Exchange): string => (caller ? `${mount.prefix}/${caller.account.id}` : "")
