import type { Database } from "../../src/core/domain/ports/store.ts"
import type { Schedule } from "./simulate.ts"

/** A process with a worker: its database, and that as it has it while it lives. */
export type Process = { life: AbortController; suspension: Suspension; database: Database; store: Database }

/** A time in which a process starts no transaction and learns the outcome of none, once in its life. */
export class Suspension {
  /** When it began. */
  at: number | undefined
  /** While it lasts. */
  ended: Promise<void> | undefined
  end: () => void = () => {}

  start(at: number): void {
    if (this.at !== undefined) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.at = at
    this.ended = promise
    this.end = () => {
      this.ended = undefined
      resolve()
    }
  }
}

/** The store as a process has it: killed, it does nothing more, and what it has not committed is rolled back; suspended, it waits. */
export const storeOf = (
  { life: { signal: killed }, suspension, database }: Omit<Process, "store">,
  schedule: Schedule,
  isNoticed: () => boolean,
): Database => ({
  ...database,
  onCommit: (listener) => database.onCommit((changes) => isNoticed() && listener(changes)),
  async transaction(work) {
    const requireLife = async (label: string) => {
      await schedule.turn(label)
      killed.throwIfAborted()
    }
    await suspension.ended
    const result = await database
      .transaction(async (tx) => {
        await requireLife("transaction of a process")
        const value = await work(tx)
        await requireLife("commit of a process")
        return value
      })
      .catch((error) => {
        if (!killed.aborted) throw error
        return never()
      })
    await suspension.ended
    return killed.aborted ? never() : result
  },
})

/** What a killed process waits for. */
export const never = () => new Promise<never>(() => {})
