import { type Quota, type WindowName, windowSeconds } from "../domain/limits/model.ts"
import type { Window } from "../domain/limits/rules.ts"
import type { Cell } from "../domain/limits/store.ts"
import { Queue } from "./queue.ts"

export const minuteMs = 60_000
export const dayWindowMs = windowSeconds.day * 1000

export const minuteOf = (ms: number): number => Math.floor(ms / minuteMs)

/** The oldest minute with requests that may be within a day of `now`. */
export const oldestMinute = (now: number): number => minuteOf(now) - dayWindowMs / minuteMs

/** Created once per account, not per request. */
class LiveWindow implements Window {
  quota = 0
  readonly policy: WindowName
  readonly #countUsed: () => number
  readonly leavesAt: (n: number) => number

  constructor(policy: WindowName, countUsed: () => number, leavesAt: (n: number) => number) {
    this.policy = policy
    this.#countUsed = countUsed
    this.leavesAt = leavesAt
  }

  get used(): number {
    return this.#countUsed()
  }
}

/** The requests of one account: the moments of the last minute, and the counts of each minute of the last day. */
export class Tally {
  readonly #moments = new Queue<number>()
  readonly #minutes = new Queue<{ minute: number; count: number }>()
  #day = 0
  #unsavedFrom = Number.POSITIVE_INFINITY
  #last = 0
  readonly #windows: readonly [LiveWindow, LiveWindow] = [
    new LiveWindow(
      "minute",
      () => this.#moments.length,
      (n) => (this.#moments.at(n - 1) as number) + minuteMs,
    ),
    new LiveWindow(
      "day",
      () => this.#day,
      (n) => this.#leavesDayAt(n),
    ),
  ]

  /** The stored counts of an account. */
  static of(cells: readonly Cell[], now: number): Tally {
    const tally = new Tally()
    for (const { minute, count, offsetsMs } of cells) {
      tally.#count(Math.min(minute, minuteOf(now)), count)
      if ((minute + 2) * minuteMs <= now) continue
      for (const offset of offsetsMs) tally.#moments.push(Math.min(minute * minuteMs + offset, now))
    }
    return tally
  }

  add(now: number): void {
    const minute = minuteOf(now)
    this.#count(minute, 1)
    this.#moments.push(now)
    this.#last = now
    this.#unsavedFrom = Math.min(this.#unsavedFrom, minute)
  }

  /** Both windows, updated to `now`; they reflect later requests. */
  windows(quota: Quota, now: number): readonly [Window, Window] {
    this.forget(now)
    for (const window of this.#windows) window.quota = quota[window.policy]
    return this.#windows
  }

  /** The cells from this minute on, newest first. */
  cells(accountId: number, fromMinute = Number.NEGATIVE_INFINITY): Cell[] {
    const cells: Cell[] = []
    for (let n = this.#minutes.length - 1; n >= 0; n--) {
      const { minute, count } = this.#minutes.at(n) as { minute: number; count: number }
      if (minute < fromMinute) break
      cells.push({ accountId, minute, count, offsetsMs: this.#offsetsIn(minute) })
    }
    return cells
  }

  /** The cells that changed since the last call; `putBack` them when they could not be stored. */
  takeUnsaved(accountId: number): Cell[] {
    const cells = this.cells(accountId, this.#unsavedFrom)
    this.#unsavedFrom = Number.POSITIVE_INFINITY
    return cells
  }

  putBack({ minute }: Cell): void {
    this.#unsavedFrom = Math.min(this.#unsavedFrom, minute)
  }

  /** Whether everything is stored and nothing was counted since a moment. */
  idleSince(moment: number): boolean {
    return this.#last < moment && this.#unsavedFrom === Number.POSITIVE_INFINITY
  }

  #count(minute: number, count: number): void {
    const current = this.#minutes.last
    if (current?.minute === minute) current.count += count
    else this.#minutes.push({ minute, count })
    this.#day += count
  }

  /** Removes what is no longer in a window. */
  forget(now: number): void {
    while (this.#moments.length > 0 && (this.#moments.at(0) as number) <= now - minuteMs) this.#moments.shift()
    const oldest = oldestMinute(now)
    for (let first = this.#minutes.at(0); first && first.minute < oldest; first = this.#minutes.at(0)) {
      this.#day -= first.count
      this.#minutes.shift()
    }
  }

  #leavesDayAt(n: number): number {
    let counted = 0
    for (let i = 0; i < this.#minutes.length; i++) {
      const { minute, count } = this.#minutes.at(i) as { minute: number; count: number }
      counted += count
      if (counted >= n) return (minute + 1) * minuteMs + dayWindowMs
    }
    throw new RangeError(`there is no ${n}th request in a day of ${counted}`)
  }

  #offsetsIn(minute: number): number[] {
    const offsets: number[] = []
    for (let n = this.#moments.length - 1; n >= 0; n--) {
      const offset = (this.#moments.at(n) as number) - minute * minuteMs
      if (offset < 0) break
      if (offset < minuteMs) offsets.push(offset)
    }
    return offsets.reverse()
  }
}
