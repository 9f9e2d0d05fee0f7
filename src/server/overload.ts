import { monitorEventLoopDelay } from "node:perf_hooks"
import type { FastifyInstance } from "fastify"
import { Problem } from "../kernel/problem.ts"

const sampleMs = 1_000
const resolutionMs = 20
const retryAfterS = 2

/** How much the service has to do, and how much it takes on. */
export type Load = {
  requestsMax: number
  loopDelayMaxMs: number
  /** How late the event loop has been lately, on average. */
  loopDelayMs(): number
}

/** The load of this process: the mean delay of its event loop, looked at every second. */
export function processLoad(): Load {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let delayMs = 0
  setInterval(() => {
    delayMs = Math.max(0, histogram.mean / 1e6 - resolutionMs)
    histogram.reset()
  }, sampleMs).unref()
  return { requestsMax: 2_000, loopDelayMaxMs: 1_000, loopDelayMs: () => delayMs }
}

/** Answers 503 before doing anything else while there is too much to do; health is answered always. */
export function shedLoad(app: FastifyInstance, { requestsMax, loopDelayMaxMs, loopDelayMs }: Load): void {
  let requests = 0

  app.addHook("onRequest", (request, reply, done) => {
    if (isHealth(request.url)) return done()
    requests++
    reply.raw.once("close", () => requests--)
    const isOverloaded = requests > requestsMax || loopDelayMs() > loopDelayMaxMs
    done(isOverloaded ? new Problem("overloaded", sentence, { retryAfter: retryAfterS }) : undefined)
  })
}

const isHealth = (url: string): boolean => /^\/(livez|readyz)(\?|$)/.test(url)

const sentence = "The service has too much to do just now and did not begin with this request"
