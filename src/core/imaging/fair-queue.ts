import { slots } from "../kernel/flow/slots.ts"
import { Problem } from "../kernel/problem.ts"

const retryAfter = 5

/** `start` receives the function that frees the slot. */
type Waiting = { accountId: number; start: (end: () => void) => void }

/**
 * Schedules work fairly by account: the account that has used the least time is next, and no account takes all slots unless
 * there is only one. Up to `waitingMax` jobs of an account may wait. Used times are reset when no slot is taken.
 */
export function fairQueue({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }, now: () => number) {
  const busy = slots<number>({ perKey: Math.max(1, atOnce - 1), total: atOnce })
  const usedMs = new Map<number, number>()
  const waiting: Waiting[] = []

  /** Takes a slot if one is free; returns a function that frees it. */
  function start(accountId: number): (() => void) | undefined {
    const slot = busy.take(accountId)
    if (typeof slot === "string") return undefined
    // A new account starts with the lowest used time of the others.
    if (!usedMs.has(accountId)) usedMs.set(accountId, usedMs.size === 0 ? 0 : Math.min(...usedMs.values()))
    const startedAt = now()
    return () => {
      slot()
      usedMs.set(accountId, (usedMs.get(accountId) as number) + now() - startedAt)
      startWaiting()
    }
  }

  function startWaiting(): void {
    for (let next = chooseNext(); next; next = chooseNext()) {
      const end = start(next.accountId)
      if (!end) break
      waiting.splice(waiting.indexOf(next), 1)
      next.start(end)
    }
    if (busy.taken() === 0) usedMs.clear()
  }

  /** The job whose account has used the least time; among equals, the one that has waited longest. */
  function chooseNext(): Waiting | undefined {
    return waiting
      .filter(({ accountId }) => busy.fullFor(accountId) === undefined)
      .toSorted((a, b) => (usedMs.get(a.accountId) ?? 0) - (usedMs.get(b.accountId) ?? 0))[0]
  }

  /** Runs the work when the account gets a slot; throws the problem `unavailable` when too many jobs of the account are waiting. */
  async function run<T>(accountId: number, work: () => Promise<T>): Promise<T> {
    const end = start(accountId) ?? (await waitForSlot(accountId))
    try {
      return await work()
    } finally {
      end()
    }
  }

  async function waitForSlot(accountId: number): Promise<() => void> {
    if (waiting.filter((one) => one.accountId === accountId).length >= waitingMax)
      throw new Problem("unavailable", "Too many images of this account are waiting to be decoded", { retryAfter })
    return new Promise((start) => waiting.push({ accountId, start }))
  }

  return { run, waiting: () => waiting.length }
}
