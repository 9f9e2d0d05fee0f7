import type { Logger } from "pino"
import { DamagedRecord, StoreUnavailable } from "../domain/ports/store.ts"
import type { Clock } from "../kernel/clock.ts"

const intervalMs = 60_000
const causesMax = 100

/**
 * Limits a log to one line a minute for each cause of a storage failure and each damaged record, however many requests and workers meet it. The next line
 * of that cause says in `leftOut` how many were omitted. `steady` is monotonic.
 */
export function oncePerCause(log: Logger, steady: Clock): Logger {
  const causes = new Map<string, { writtenAt: number; leftOut: number }>()

  /** The number of lines omitted since the cause's last one; undefined when this one is omitted too. */
  function count(cause: string): number | undefined {
    const known = causes.get(cause)
    if (known && steady.now() - known.writtenAt < intervalMs) {
      known.leftOut++
      return undefined
    }
    if (!known && causes.size >= causesMax) causes.clear()
    causes.set(cause, { writtenAt: steady.now(), leftOut: 0 })
    return known?.leftOut ?? 0
  }

  const write = (level: "warn" | "error") => (facts: object | string, message?: string) => {
    if (typeof facts === "string") return log[level](facts)
    const cause = causeOf((facts as { err?: unknown }).err)
    const leftOut = cause === undefined ? 0 : count(cause)
    if (leftOut === undefined) return
    log[level](leftOut === 0 ? facts : { ...facts, leftOut }, message)
  }
  return Object.assign(log.child({}), { warn: write("warn"), error: write("error") })
}

function causeOf(error: unknown): string | undefined {
  if (error instanceof StoreUnavailable || error instanceof DamagedRecord) return error.message
  return error instanceof Error && error.cause !== undefined ? causeOf(error.cause) : undefined
}
