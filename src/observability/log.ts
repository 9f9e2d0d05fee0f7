import pino, { type Logger } from "pino"

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

let ms = 0
let text = ""

/** The time as pino wants it, RFC 3339 and UTC; lines of one millisecond share the text. */
function timestamp(): string {
  const now = Date.now()
  if (now !== ms) {
    ms = now
    text = `,"time":"${new Date(now).toISOString()}"`
  }
  return text
}
