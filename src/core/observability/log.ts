import pino, { type Level, type Logger } from "pino"
import { logTimestamp } from "../kernel/clock.ts"
import { batchLength, createLineBatch } from "./line-batch.ts"
import { textLines } from "./text-lines.ts"

/** Opens the service's log on standard output, written in batches at least every 200 ms. */
export function openLog({ level, format }: { level: Level; format: "json" | "text" }): Log {
  const standardOutput = pino.destination({ minLength: batchLength - 1, maxWrite: batchLength })
  const lines = createLineBatch(standardOutput, (count) =>
    log.warn({ count }, "log lines lost: the output did not accept them in time"),
  )
  // Runs before the destination's own listener, which writes its buffer.
  process.prependOnceListener("exit", lines.handOver)
  const destination = format === "text" ? textLines(lines) : lines
  const log = pino({ base: null, level, timestamp }, destination)
  return { log, requestLines: log.isLevelEnabled("info") ? destination : undefined }
}

/** Opens a log that calls a function with each line immediately; it logs nothing without one. */
export function openLogTo(receive: ((line: string) => void) | undefined): Log {
  if (receive === undefined) return { log: pino({ level: "silent" }), requestLines: undefined }
  const lines = { write: receive }
  return { log: pino({ base: null, timestamp }, lines), requestLines: lines }
}

export type Log = {
  log: Logger
  /** Receives finished request lines, in order with all others; undefined when they are not logged. */
  requestLines: { write(line: string): unknown } | undefined
}

/** The time in pino's format. */
const timestamp = (): string => `,"time":"${logTimestamp()}"`
