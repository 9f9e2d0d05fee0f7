// Loaded before the service: its wall clock is ahead by the milliseconds in the file `clock-shift` beside its data directory. The
// monotonic clock is not.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const file = join(process.env.PETSTORE_DATA_DIR ?? "", "..", "clock-shift")
const readEveryMs = 20
const { now } = Date
let readAt = Number.NEGATIVE_INFINITY
let shiftMs = 0

Date.now = () => {
  if (performance.now() - readAt > readEveryMs) {
    shiftMs = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0
    readAt = performance.now()
  }
  return now() + shiftMs
}
