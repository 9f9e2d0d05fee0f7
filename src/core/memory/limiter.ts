// Decision: docs/decisions/rate-limiting.md#the-minute-is-a-log-the-day-is-cells

import type { Quota } from "../domain/limits/model.ts"
import { fullness, usageOf } from "../domain/limits/rules.ts"
import type { Limiter, Verdict } from "../domain/ports/limiter.ts"
import type { Store } from "../domain/ports/store.ts"
import type { Clock } from "../kernel/clock.ts"
import { minuteMs, minuteOf, oldestMinute, Tally } from "./tally.ts"

/** Half of what a crash may lose; the other half is for the commit. */
const saveDelayMs = 250
const accountsPerCommit = 500
const idleMs = 2 * minuteMs

/** Opens a limiter on a clock that never jumps. `report` receives errors of storing, which is retried. */
export async function memoryLimiter(store: Store, clock: Clock, report: (error: unknown) => void) {
  await store.transaction((tx) => tx.limits.moveBack(minuteOf(clock.now())))
  return new MemoryLimiter(store, clock, report)
}

/** Counts in this process's memory and stores the counts a quarter of a second later. */
export class MemoryLimiter implements Limiter {
  readonly #store: Store
  readonly #clock: Clock
  readonly #report: (error: unknown) => void
  readonly #tallies = new Map<number, Tally>()
  readonly #loading = new Map<number, Promise<Tally>>()
  readonly #unsaved = new Set<number>()
  #timer: NodeJS.Timeout | undefined
  #saving = Promise.resolve()
  #sweptAt: number

  constructor(store: Store, clock: Clock, report: (error: unknown) => void) {
    this.#store = store
    this.#clock = clock
    this.#report = report
    this.#sweptAt = clock.now()
  }

  admit(accountId: number, quota: Quota): Verdict | Promise<Verdict> {
    const tally = this.#tallyOf(accountId)
    return tally instanceof Tally
      ? this.#count(accountId, tally, quota)
      : tally.then((ready) => this.#count(accountId, ready, quota))
  }

  async usage(accountId: number, quota: Quota) {
    const tally = await this.#tallyOf(accountId)
    const at = this.#now()
    return usageOf(tally.windows(quota, at), at)
  }

  flush(): Promise<void> {
    this.#cancel()
    this.#saving = this.#saving.catch(() => undefined).then(() => this.#saveAll())
    return this.#saving
  }

  /** Discards all counts of this process. */
  async forget(): Promise<void> {
    this.#cancel()
    this.#unsaved.clear()
    await Promise.allSettled([this.#saving, ...this.#loading.values()])
    this.#tallies.clear()
  }

  /** The number of accounts in memory; idle accounts leave after two minutes. */
  accounts(): number {
    return this.#tallies.size
  }

  #now(): number {
    return Math.floor(this.#clock.now())
  }

  #tallyOf(accountId: number): Tally | Promise<Tally> {
    const known = this.#tallies.get(accountId) ?? this.#loading.get(accountId)
    if (known !== undefined) return known
    const loaded = this.#load(accountId).finally(() => this.#loading.delete(accountId))
    this.#loading.set(accountId, loaded)
    return loaded
  }

  async #load(accountId: number): Promise<Tally> {
    const tally = Tally.of(await this.#store.limits.cells(accountId, oldestMinute(this.#now())), this.#now())
    this.#tallies.set(accountId, tally)
    return tally
  }

  #count(accountId: number, tally: Tally, quota: Quota): Verdict {
    const at = this.#now()
    const windows = tally.windows(quota, at)
    const full = fullness(windows, at)
    if (!full) {
      tally.add(at)
      this.#unsaved.add(accountId)
      this.#saveSoon()
    }
    return { full, usage: usageOf(windows, at) }
  }

  #saveSoon(): void {
    this.#timer ??= setTimeout(() => void this.flush().catch(this.#report), saveDelayMs).unref()
  }

  #cancel(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #saveAll(): Promise<void> {
    const accounts = [...this.#unsaved]
    for (let n = 0; n < accounts.length; n += accountsPerCommit)
      await this.#saveSome(accounts.slice(n, n + accountsPerCommit))
    if (this.#now() - this.#sweptAt >= minuteMs) this.#forgetIdle()
  }

  async #saveSome(accounts: number[]): Promise<void> {
    const cells = accounts.flatMap((id) => this.#tallies.get(id)?.takeUnsaved(id) ?? [])
    for (const id of accounts) this.#unsaved.delete(id)
    try {
      await this.#store.transaction((tx) => tx.limits.put(cells))
    } catch (error) {
      for (const cell of cells) {
        this.#tallies.get(cell.accountId)?.putBack(cell)
        this.#unsaved.add(cell.accountId)
      }
      this.#saveSoon()
      throw error
    }
  }

  #forgetIdle(): void {
    this.#sweptAt = this.#now()
    for (const [id, tally] of this.#tallies) if (tally.idleSince(this.#sweptAt - idleMs)) this.#tallies.delete(id)
  }
}
