import pino, { type Logger } from "pino"

const bufferBytes = 8192
const flushIntervalMs = 200

/** The service's log: JSON lines on standard output, written in batches at least every 200 ms. */
export const openLog = (): Logger =>
  pino({ base: null, timestamp }, pino.destination({ minLength: bufferBytes, periodicFlush: flushIntervalMs }))

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
