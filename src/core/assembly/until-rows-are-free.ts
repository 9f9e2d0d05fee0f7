import { setTimeout as pause } from "node:timers/promises"
import { RowsUnavailable } from "../domain/ports/store.ts"

/** How long a start waits for another one, which may fill the database on a busy machine. */
const patienceMs = 60_000
const pauseMs = 250

/** Repeats the work of a start while another process holds the rows that it needs: those that start at the same time fill a database in turn. */
export async function untilRowsAreFree<T>(work: () => Promise<T>): Promise<T> {
  for (const giveUpAt = performance.now() + patienceMs; ; await pause(pauseMs))
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof RowsUnavailable) || performance.now() > giveUpAt) throw error
    }
}
