// Decision: docs/decisions/rate-limiting.md#overload-is-the-mean-delay-of-the-event-loop

import { monitorEventLoopDelay } from "node:perf_hooks"
import { Problem } from "../../kernel/problem.ts"

const sampleMs = 1_000
const resolutionMs = 20

export type Load = {
  requestsMax: number
  loopDelayMaxMs: number
  /** Mean delay of the event loop. */
  loopDelayMs(): number
}

/** How late a timer of `resolutionMs` fires, including this time; the mean is in nanoseconds. */
type Delays = { readonly mean: number; reset(): void }

/** The load of this process: the mean delay of its event loop in the better of the last two seconds. A single stall does not count. */
export function processLoad(delays: Delays = measureDelays()): Load {
  let samples: readonly [number, number] = [0, 0]
  setInterval(() => {
    samples = [samples[1], Math.max(0, delays.mean / 1e6 - resolutionMs)]
    delays.reset()
  }, sampleMs).unref()
  return { requestsMax: 2_000, loopDelayMaxMs: 1_000, loopDelayMs: () => Math.min(...samples) }
}

function measureDelays(): Delays {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  return histogram
}

export type LoadShedding = {
  /** Throws the 503 while the service is overloaded. */
  requireCapacity(): void
  start(): void
  end(): void
  underWay(): number
}

/**
 * Counts running operations, each from the end of its request until its response is ready: clients that send or read
 * slowly do not add to the load.
 */
export function createLoadShedding({ requestsMax, loopDelayMaxMs, loopDelayMs }: Load): LoadShedding {
  let underWay = 0

  return {
    requireCapacity() {
      if (underWay >= requestsMax || loopDelayMs() > loopDelayMaxMs)
        throw new Problem("overloaded", detail, { retryAfter: 2 })
    },
    start: () => void underWay++,
    end: () => void underWay--,
    underWay: () => underWay,
  }
}

const detail = "The service is overloaded and did not process this request"
