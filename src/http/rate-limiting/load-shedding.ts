import { monitorEventLoopDelay } from "node:perf_hooks"
import { Problem } from "../../kernel/problem.ts"

const sampleMs = 1_000
const resolutionMs = 20

/** How much the service has to do, and how much it takes on. */
export type Load = {
  /** Operations under way at once. */
  requestsMax: number
  loopDelayMaxMs: number
  /** How late the event loop has been lately, on average. */
  loopDelayMs(): number
}

/** The load of this process: the mean delay of its event loop in the better of the last two seconds. One stall is no load. */
export function processLoad(): Load {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let samples: readonly [number, number] = [0, 0]
  setInterval(() => {
    samples = [samples[1], Math.max(0, histogram.mean / 1e6 - resolutionMs)]
    histogram.reset()
  }, sampleMs).unref()
  return { requestsMax: 2_000, loopDelayMaxMs: 1_000, loopDelayMs: () => Math.min(...samples) }
}

/** What the service has to do, and whether it takes on more. */
export type LoadShedding = ReturnType<typeof loadShedding>

/**
 * Counts the operations under way, each from when all of its request has arrived until its response is ready: neither a
 * client that sends slowly nor one that does not read makes the service busy.
 */
export function loadShedding({ requestsMax, loopDelayMaxMs, loopDelayMs }: Load) {
  let underWay = 0

  return {
    /** Throws the 503 while there is too much to do. */
    requireCapacity(): void {
      if (underWay >= requestsMax || loopDelayMs() > loopDelayMaxMs)
        throw new Problem("overloaded", detail, { retryAfter: 2 })
    },
    begin: (): void => void underWay++,
    end: (): void => void underWay--,
    /** Operations under way. */
    underWay: () => underWay,
  }
}

const detail = "The service has too much to do just now and did not begin with this request"
