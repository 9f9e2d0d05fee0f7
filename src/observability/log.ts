import pino, { type Level, type Logger } from "pino"
import { logTimestamp } from "../kernel/clock.ts"
import { batchLength, createLineBatch } from "./line-batch.ts"
import { textLines } from "./text-lines.ts"

/** The service's log on standard output, written in batches at least every 200 ms. */
export function openLog({ level, format }: { level: Level; format: "json" | "text" }): Log {
  const standardOutput = pino.destination({ minLength: batchLength - 1, maxWrite: batchLength })
  const lines = createLineBatch(standardOutput, (count) =>
    log.warn({ count }, "log lines lost: nothing took them in time"),
  )
  // Before the destination's own listener, which writes what it has been given.
  process.prependOnceListener("exit", lines.handOver)
  const destination = format === "text" ? textLines(lines) : lines
  const log = pino({ base: null, level, timestamp }, destination)
  return { log, requestLines: log.isLevelEnabled("info") ? destination : undefined }
}

/** A log whose lines go to a function instead, at once; nothing is logged without one. */
export function openLogTo(receive: ((line: string) => void) | undefined): Log {
  if (receive === undefined) return { log: pino({ level: "silent" }), requestLines: undefined }
  const lines = { write: receive }
  return { log: pino({ base: null, timestamp }, lines), requestLines: lines }
}

export type Log = {
  log: Logger
  /** Where finished lines of requests go, in order with everything else; undefined when nobody wants them. */
  requestLines: { write(line: string): unknown } | undefined
}

/** The time as pino wants it. */
const timestamp = (): string => `,"time":"${logTimestamp()}"`
