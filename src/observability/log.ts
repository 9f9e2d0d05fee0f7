import pino, { type Logger } from "pino"
import { logTimestamp } from "../kernel/clock.ts"

const bufferBytes = 8192
const flushIntervalMs = 200

/** The service's log: JSON lines on standard output, written in batches at least every 200 ms. */
export function openLog(): Log {
  const destination = pino.destination({ minLength: bufferBytes, periodicFlush: flushIntervalMs })
  return { log: pino({ base: null, timestamp }, destination), requestLines: destination }
}

export type Log = {
  log: Logger
  /** Where finished lines of requests go, in order with everything else. */
  requestLines: { write(line: string): unknown }
}

/** The time as pino wants it. */
const timestamp = (): string => `,"time":"${logTimestamp()}"`
