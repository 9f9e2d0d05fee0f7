import type { Clock } from "../kernel/clock.ts"
import type { AttemptLimit } from "../kernel/flow/attempts.ts"

/** Maximum waiting attempts, of one name and in all. Each holds a request, some 40 KiB. */
const waitingAttemptsMax = { ofName: 16, total: 256 }
/** Longer than two of the longest pauses, and shorter than the timeouts of proxies. */
const waitMaxMs = 40_000

type WaitingAttempt = {
  from: readonly AttemptLimit[]
  /** The used share of the budgets of its networks. */
  used: number
  since: number
  /** Undefined admits the attempt, a number refuses it for so many milliseconds. */
  settle(refusedMs: number | undefined): void
  fail(error: unknown): void
}

type Line = { waiting: WaitingAttempt[]; pauseMs: number; take(): Promise<number>; cancel(): void }

/** Where attempts under one name wait: `take` counts an attempt and returns 0, or returns the milliseconds until the next one. */
type Counter = { take(): Promise<number>; used(): Promise<number> }

/** Runs a function later; the result cancels it. */
export type Later = (ms: number, run: () => void) => () => void

export const runLater: Later = (ms, run) => {
  const pending = setTimeout(run, ms).unref()
  return () => clearTimeout(pending)
}

/** Lets a bounded number of attempts wait; when it is full, those of the busiest network are refused first. */
export class AttemptQueue {
  readonly #clock: Clock
  readonly #later: Later
  readonly #lines = new Map<string, Line>()
  #total = 0

  constructor(clock: Clock, later: Later = runLater) {
    this.#clock = clock
    this.#later = later
  }

  async enqueue(name: string, from: readonly AttemptLimit[], { take, used }: Counter): Promise<number | undefined> {
    let pauseMs = 0
    // Attempts that already wait go first.
    if (!this.#lines.has(name)) {
      pauseMs = await take()
      if (pauseMs === 0) return undefined
      if (this.#isFrozen()) return pauseMs
    }
    const usedShare = await used()
    return new Promise((settle, fail) => {
      const line = this.#lines.get(name) ?? this.#openLine(name, take, pauseMs)
      const waiting = { from, used: usedShare, since: this.#clock.now(), settle, fail }
      line.waiting.push(waiting)
      this.#total++
      this.#enforceBounds(waiting, line)
    })
  }

  /** Refuses all waiting attempts. */
  release(): void {
    for (const [name, line] of this.#lines) {
      line.cancel()
      this.#lines.delete(name)
      for (const waiting of [...line.waiting]) this.#refuse(line, waiting)
    }
  }

  /** On a frozen clock a pause never ends. */
  #isFrozen(): boolean {
    return this.#clock.isFrozen?.() === true
  }

  #openLine(name: string, take: Line["take"], pauseMs: number): Line {
    const line: Line = { waiting: [], pauseMs, take, cancel: () => undefined }
    line.cancel = this.#later(pauseMs, () => void this.#advance(name, line))
    this.#lines.set(name, line)
    return line
  }

  #enforceBounds({ from }: WaitingAttempt, line: Line): void {
    for (const { name, max } of from) {
      const same = line.waiting.filter((other) => other.from.some((network) => network.name === name))
      // A network with n times the budget of the narrowest may have n waiting attempts.
      const sameMax = max / (from[0] as AttemptLimit).max
      if (same.length > sameMax) this.#refuse(line, same[0] as WaitingAttempt)
    }
    if (line.waiting.length > waitingAttemptsMax.ofName) this.#refuse(line, lastOf(line))
    if (this.#total <= waitingAttemptsMax.total) return
    const fullest = [...this.#lines.values()].reduce((a, b) => (b.waiting.length > a.waiting.length ? b : a))
    this.#refuse(fullest, lastOf(fullest))
  }

  /** Admits the next attempt when it is time, and schedules the one after it. */
  async #advance(name: string, line: Line): Promise<void> {
    for (const waiting of [...line.waiting])
      if (this.#isFrozen() || this.#clock.now() - waiting.since >= waitMaxMs) this.#refuse(line, waiting)
    if (line.waiting.length > 0) await this.#admitNext(line)
    // `release` may have closed it, and another attempt opened a new one.
    if (this.#lines.get(name) !== line) return
    if (line.waiting.length === 0) this.#lines.delete(name)
    else line.cancel = this.#later(line.pauseMs, () => void this.#advance(name, line))
  }

  async #admitNext(line: Line): Promise<void> {
    try {
      line.pauseMs = await line.take()
      const [next] = inOrder(line)
      if (line.pauseMs > 0 || !next) return
      this.#leave(line, next)
      next.settle(undefined)
    } catch (error) {
      for (const waiting of [...line.waiting]) {
        this.#leave(line, waiting)
        waiting.fail(error)
      }
    }
  }

  #refuse(line: Line, waiting: WaitingAttempt): void {
    this.#leave(line, waiting)
    waiting.settle(Math.max(1, line.pauseMs))
  }

  #leave(line: Line, waiting: WaitingAttempt): void {
    line.waiting.splice(line.waiting.indexOf(waiting), 1)
    this.#total--
  }
}

/** The fewest attempts first, and of equals the newest, so that a burst does not lock others out. */
const inOrder = ({ waiting }: Line): WaitingAttempt[] => waiting.toReversed().toSorted((a, b) => a.used - b.used)
const lastOf = (line: Line): WaitingAttempt => inOrder(line).at(-1) as WaitingAttempt
