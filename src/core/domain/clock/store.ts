import type { ClockCheck } from "./model.ts"
/** The state of the clock check, shared by all processes and kept across restarts. */
export type ClockCheckStore = {
  /** Undefined before the first round. */
  read(): Promise<ClockCheck | undefined>
  put(check: ClockCheck): Promise<void>
  /** The database's current time. */
  databaseTime(): Promise<number>
}
