import type { Quota } from "../../domain/limits/model.ts"
import { fullness, standingsOf } from "../../domain/limits/rules.ts"
import type { Limiter, Verdict } from "../../domain/ports/limiter.ts"
import type { Store } from "../../domain/ports/store.ts"
import type { Clock } from "../../kernel/clock.ts"
import { minuteMs, minuteOf, oldestMinute, Tally } from "./tally.ts"

const saveDelayMs = 500
const accountsPerCommit = 500
const idleMs = 2 * minuteMs

/** A limiter in this process's memory that stores what it counted half a second later. */
export type MemoryLimiter = Limiter & {
  /** Stores what was counted since the last time. */
  save(): Promise<void>
  /** Forgets all that was counted and is not stored yet, and what was read of what is. */
  forget(): Promise<void>
  /** How many accounts are in memory; one that has been idle for two minutes is not. */
  accounts(): number
}

/** Makes a limiter on a clock that never jumps. Storing that fails is told to `report` and tried again. */
export async function memoryLimiter(
  store: Store,
  clock: Clock,
  report: (error: unknown) => void,
): Promise<MemoryLimiter> {
  const tallies = new Map<number, Tally>()
  const loading = new Map<number, Promise<Tally>>()
  const unsaved = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  let saving = Promise.resolve()
  let sweptAt = clock.now()

  const now = () => Math.floor(clock.now())
  await store.transaction((tx) => tx.limits.moveBack(minuteOf(now())))

  function tallyOf(accountId: number): Tally | Promise<Tally> {
    const known = tallies.get(accountId) ?? loading.get(accountId)
    if (known !== undefined) return known
    const loaded = load(accountId).finally(() => loading.delete(accountId))
    loading.set(accountId, loaded)
    return loaded
  }

  async function load(accountId: number): Promise<Tally> {
    const tally = Tally.of(await store.limits.cells(accountId, oldestMinute(now())), now())
    tallies.set(accountId, tally)
    return tally
  }

  function count(accountId: number, tally: Tally, quota: Quota): Verdict {
    const at = now()
    const windows = tally.windows(quota, at)
    const full = fullness(windows, at)
    if (!full) {
      tally.add(at)
      unsaved.add(accountId)
      timer ??= setTimeout(() => void save().catch(report), saveDelayMs).unref()
    }
    return { full, standings: standingsOf(windows, at) }
  }

  function save(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    saving = saving.catch(() => undefined).then(saveAll)
    return saving
  }

  async function saveAll(): Promise<void> {
    const accounts = [...unsaved]
    for (let n = 0; n < accounts.length; n += accountsPerCommit)
      await saveSome(accounts.slice(n, n + accountsPerCommit))
    if (now() - sweptAt >= minuteMs) forgetIdle()
  }

  async function saveSome(accounts: number[]): Promise<void> {
    const cells = accounts.flatMap((id) => tallies.get(id)?.takeUnsaved(id) ?? [])
    for (const id of accounts) unsaved.delete(id)
    try {
      await store.transaction((tx) => tx.limits.put(cells))
    } catch (error) {
      for (const cell of cells) {
        tallies.get(cell.accountId)?.putBack(cell)
        unsaved.add(cell.accountId)
      }
      timer ??= setTimeout(() => void save().catch(report), saveDelayMs).unref()
      throw error
    }
  }

  function forgetIdle(): void {
    sweptAt = now()
    for (const [id, tally] of tallies) if (tally.idleSince(sweptAt - idleMs)) tallies.delete(id)
  }

  return {
    admit(accountId, quota) {
      const tally = tallyOf(accountId)
      return tally instanceof Tally
        ? count(accountId, tally, quota)
        : tally.then((ready) => count(accountId, ready, quota))
    },
    async standings(accountId, quota) {
      const tally = await tallyOf(accountId)
      const at = now()
      return standingsOf(tally.windows(quota, at), at)
    },
    save,
    async forget() {
      clearTimeout(timer)
      timer = undefined
      unsaved.clear()
      await Promise.allSettled([saving, ...loading.values()])
      tallies.clear()
    },
    close: save,
    accounts: () => tallies.size,
  }
}
