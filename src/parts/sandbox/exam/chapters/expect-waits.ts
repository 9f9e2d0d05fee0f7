// Decision: docs/decisions/examiner.md#a-repetition-is-compared-with-the-arrival-of-the-request-before-it
import { expect } from "../../../../examiner/verdict.ts"
import type { RecordedRequest } from "../../journal/contract.ts"

/** Clocks and timers have milliseconds. */
const earlyMsMax = 5
const lateMsMax = 3000

/**
 * Each request came when the response before it said in `Retry-After` (RFC 9110, 10.2.3), as the first one did: not earlier, and at
 * most three seconds later.
 */
export function expectWaits(requests: readonly RecordedRequest[]): void {
  for (const [n, { time, durationMs, response }] of requests.slice(0, -1).entries()) {
    const said = response.headers["retry-after"]
    expect(n > 0 || said !== undefined, "the first response had no Retry-After")
    if (said === undefined) continue
    const arrivedMs = Date.parse(time)
    const dueMs = /^\d+$/.test(said) ? arrivedMs + Number(said) * 1000 : Date.parse(said)
    // The client cannot know it before the request has arrived, nor need it before the response has ended.
    const earlyMs = dueMs - Date.parse(requests[n + 1]?.time ?? "")
    const lateMs = -earlyMs - durationMs
    const what = `after Retry-After: ${said} the request was repeated`
    expect(earlyMs <= earlyMsMax, `${what} ${Math.round(earlyMs)} ms too early`)
    expect(lateMs <= lateMsMax, `${what} ${Math.round(lateMs)} ms later`)
  }
}
