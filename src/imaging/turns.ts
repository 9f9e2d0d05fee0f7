import { Problem } from "../kernel/problem.ts"

type TurnLimits = {
  /** How many may have a turn at once. */
  atOnce: number
  /** How many of one account may wait for theirs. */
  waitingMax: number
}

const retryAfter = 5

type Waiting = { accountId: number; begin: () => void }

/**
 * Hands out turns fairly by account: the next goes to the account that has had the least time so far, and while there
 * is more than one at once, no account has all of them. The times are forgotten when nobody waits or works.
 */
export function fairTurns({ atOnce, waitingMax }: TurnLimits, now: () => number) {
  const busy = new Map<number, number>()
  const usedMs = new Map<number, number>()
  const waiting: Waiting[] = []
  const perAccount = Math.max(1, atOnce - 1)
  let running = 0

  const mayBegin = (accountId: number) => running < atOnce && (busy.get(accountId) ?? 0) < perAccount
  const waitingOf = (accountId: number) => waiting.filter((one) => one.accountId === accountId).length

  function begin(accountId: number): void {
    running++
    busy.set(accountId, (busy.get(accountId) ?? 0) + 1)
    // An account that comes later starts level with the one that has had the least.
    if (!usedMs.has(accountId)) usedMs.set(accountId, usedMs.size === 0 ? 0 : Math.min(...usedMs.values()))
  }

  function end(accountId: number, ms: number): void {
    running--
    const left = (busy.get(accountId) as number) - 1
    if (left === 0) busy.delete(accountId)
    else busy.set(accountId, left)
    usedMs.set(accountId, (usedMs.get(accountId) as number) + ms)
    for (let next = chooseNext(); next; next = chooseNext()) {
      waiting.splice(waiting.indexOf(next), 1)
      begin(next.accountId)
      next.begin()
    }
    if (running === 0) usedMs.clear()
  }

  /** Of those who may begin, the one whose account has had the least; of equals, who waits longest. */
  function chooseNext(): Waiting | undefined {
    return waiting
      .filter(({ accountId }) => mayBegin(accountId))
      .toSorted((a, b) => (usedMs.get(a.accountId) ?? 0) - (usedMs.get(b.accountId) ?? 0))[0]
  }

  /** Does the work when it is the account's turn; throws the problem `unavailable` when too many of it are waiting. */
  async function inTurn<T>(accountId: number, work: () => Promise<T>): Promise<T> {
    if (mayBegin(accountId)) begin(accountId)
    else if (waitingOf(accountId) >= waitingMax)
      throw new Problem("unavailable", "Too many images of this account are waiting to be decoded", { retryAfter })
    else await new Promise<void>((resolve) => waiting.push({ accountId, begin: resolve }))
    const startedAt = now()
    try {
      return await work()
    } finally {
      end(accountId, now() - startedAt)
    }
  }

  return { inTurn, waiting: () => waiting.length }
}
