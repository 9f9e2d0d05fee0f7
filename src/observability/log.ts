import pino, { type Logger } from "pino"
import { logTimestamp } from "../kernel/clock.ts"
import { batchLength, createLineBatch } from "./line-batch.ts"

/** The service's log: JSON lines on standard output, written in batches at least every 200 ms. */
export function openLog(): Log {
  const standardOutput = pino.destination({ minLength: batchLength })
  const lines = createLineBatch(standardOutput)
  // Before the destination's own listener, which writes what it has been given.
  process.prependOnceListener("exit", lines.handOver)
  return { log: pino({ base: null, timestamp }, lines), requestLines: lines }
}

export type Log = {
  log: Logger
  /** Where finished lines of requests go, in order with everything else. */
  requestLines: { write(line: string): unknown }
}

/** The time as pino wants it. */
const timestamp = (): string => `,"time":"${logTimestamp()}"`
