import { slots } from "../kernel/flow/slots.ts"
import { Problem } from "../kernel/problem.ts"

const retryAfter = 5

/** `begin` is called with how to end the turn. */
type Waiting = { accountId: number; begin: (end: () => void) => void }

/**
 * Hands out turns fairly by account: the next goes to the account that has had the least time so far, and while there
 * is more than one at once, no account has all of them; `waitingMax` of an account may wait. The times are forgotten when no turn is taken.
 */
export function fairTurns({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }, now: () => number) {
  const busy = slots<number>({ ofOne: Math.max(1, atOnce - 1), inAll: atOnce })
  const usedMs = new Map<number, number>()
  const waiting: Waiting[] = []

  /** Begins a turn of the account when one is free; returns how to end it. */
  function begin(accountId: number): (() => void) | undefined {
    const slot = busy.take(accountId)
    if (typeof slot === "string") return undefined
    // An account that comes later starts level with the one that has had the least.
    if (!usedMs.has(accountId)) usedMs.set(accountId, usedMs.size === 0 ? 0 : Math.min(...usedMs.values()))
    const startedAt = now()
    return () => {
      slot()
      usedMs.set(accountId, (usedMs.get(accountId) as number) + now() - startedAt)
      handOut()
    }
  }

  function handOut(): void {
    for (let next = chooseNext(); next; next = chooseNext()) {
      const end = begin(next.accountId)
      if (!end) break
      waiting.splice(waiting.indexOf(next), 1)
      next.begin(end)
    }
    if (busy.taken() === 0) usedMs.clear()
  }

  /** Of those who may begin, the one whose account has had the least; of equals, who waits longest. */
  function chooseNext(): Waiting | undefined {
    return waiting
      .filter(({ accountId }) => busy.fullFor(accountId) === undefined)
      .toSorted((a, b) => (usedMs.get(a.accountId) ?? 0) - (usedMs.get(b.accountId) ?? 0))[0]
  }

  /** Does the work when it is the account's turn; throws the problem `unavailable` when too many of it are waiting. */
  async function inTurn<T>(accountId: number, work: () => Promise<T>): Promise<T> {
    const end = begin(accountId) ?? (await waitForTurn(accountId))
    try {
      return await work()
    } finally {
      end()
    }
  }

  async function waitForTurn(accountId: number): Promise<() => void> {
    if (waiting.filter((one) => one.accountId === accountId).length >= waitingMax)
      throw new Problem("unavailable", "Too many images of this account are waiting to be decoded", { retryAfter })
    return new Promise((begin) => waiting.push({ accountId, begin }))
  }

  return { inTurn, waiting: () => waiting.length }
}
