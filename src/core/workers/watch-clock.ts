import type { Logger } from "pino"
import { clockJumpMs, isNear, judgeClock } from "../domain/clock/rules.ts"
import type { Database } from "../domain/ports/store.ts"
import type { Clock } from "../kernel/clock.ts"

/** Whether the clock is reliable enough to delete data by age. */
type ClockWatch = {
  /** Compares the clock with that of the last round, stored in the database, and with the database's own. */
  check(): Promise<void>
  /** Whether the last completed check trusted the clock; false before. */
  isTrusted(): boolean
  /** Whether the last check doubted the clock. */
  isDoubted(): boolean
  /** Resets the verdict: another process does the rounds. */
  forget(): void
}

/**
 * Watches the clock of this process between rounds of maintenance. After a jump of more than a day, a wrong clock cannot be told
 * from a service that was stopped for so long, so the doubt is logged once, and ends by itself a day later.
 */
export function watchClock(
  store: Pick<Database, "isShared" | "transaction">,
  clock: Clock,
  log: Pick<Logger, "info" | "warn">,
): ClockWatch {
  let verdict: "trusted" | "doubted" | undefined
  let isReported = false

  function report(facts: object, doubt: string | undefined): void {
    if (doubt === undefined && isReported) log.info("the clock is trusted again: removal by age continues")
    if (doubt !== undefined && !isReported) log.warn(facts, doubt)
    isReported = doubt !== undefined
  }

  return {
    async check() {
      verdict = undefined
      const now = clock.now()
      const seen = await store.transaction(async (tx) => {
        const last = await tx.clockChecks.read()
        const databaseTime = store.isShared ? await tx.clockChecks.databaseTime() : now
        // A clock that differs from the database's is not stored: other replicas have clocks of their own.
        const agrees = isNear(databaseTime, now)
        const check = judgeClock(last, now)
        if (agrees) await tx.clockChecks.put(check)
        return { last, check, databaseTime, agrees }
      })
      const { last, check, databaseTime, agrees } = seen
      const isTrusted = agrees && check.doubtedSince === undefined
      verdict = isTrusted ? "trusted" : "doubted"
      const reference = agrees ? (last?.trustedAt ?? now) : databaseTime
      const facts = { [agrees ? "lastRound" : "databaseTime"]: toText(reference) }
      report(facts, isTrusted ? undefined : agrees ? jumped : differs)
    },
    isTrusted: () => verdict === "trusted",
    isDoubted: () => verdict === "doubted",
    forget() {
      verdict = undefined
      isReported = false
    },
  }
}

const toText = (time: number): string => new Date(time).toISOString()

const hours = clockJumpMs / 3_600_000

const jumped =
  `the clock is more than ${hours} hours from the last round of maintenance: nothing is removed by age until it has run for ` +
  `${hours} hours. If the time is wrong, correct it before that; if it is right, because the service was stopped for so long, ` +
  "nothing has to be done, and petstore admin confirm-clock ends the wait"

const differs = `the clock is more than ${hours} hours from that of the database: nothing is removed by age until they agree. Synchronise both with NTP`
