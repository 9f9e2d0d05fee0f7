import { monitorEventLoopDelay } from "node:perf_hooks"
import type { FastifyInstance } from "fastify"
import { Problem } from "../../kernel/problem.ts"
import { pathOf } from "../messages/problem-response.ts"

const sampleMs = 1_000
const resolutionMs = 20
const retryAfterS = 2

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

/** Throws the 503 while there is too much to do. */
export type RequireCapacity = () => void

declare module "fastify" {
  interface FastifyRequest {
    /** Whether the request counts as under way. */
    isUnderWay: boolean
  }
}

/**
 * Answers 503 before doing anything else while there is too much to do; health is answered always. A request is under
 * way from when all of it has arrived until its response is handed to the connection: neither a client that sends
 * slowly nor one that does not read makes the service busy.
 */
export function shedLoad(app: FastifyInstance, { requestsMax, loopDelayMaxMs, loopDelayMs }: Load): RequireCapacity {
  let requests = 0

  function requireCapacity(): void {
    if (requests >= requestsMax || loopDelayMs() > loopDelayMaxMs)
      throw new Problem("overloaded", sentence, { retryAfter: retryAfterS })
  }

  app.decorateRequest("isUnderWay", false)
  app.addHook("onRequest", async (request) => {
    if (!isHealth(pathOf(request.url))) requireCapacity()
  })
  app.addHook("preHandler", async (request) => {
    request.isUnderWay = true
    requests++
  })
  app.addHook("onSend", async (request) => {
    if (request.isUnderWay) requests--
    request.isUnderWay = false
  })
  return requireCapacity
}

export const isHealth = (path: string): boolean => path === "/livez" || path === "/readyz"

const sentence = "The service has too much to do just now and did not begin with this request"
