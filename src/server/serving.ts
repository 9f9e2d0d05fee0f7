import type { Logger } from "pino"
import type { Attempts } from "../domain/ports/attempts.ts"
import type { Clock } from "../kernel/clock.ts"
import type { HttpResponse } from "../kernel/network/http-response.ts"
import { type ConnectionLimits, connections, connectionsMax } from "./limits/connection-limit.ts"
import { ipRateLimit } from "./limits/ip-rate-limit.ts"
import { type Load, loadShedding, processLoad } from "./limits/load-shedding.ts"
import { type UnreadBudgets, unreadBudgetsFor } from "./limits/unread-budgets.ts"
import { unreadResponses } from "./limits/unread-responses.ts"
import { requestMetrics } from "./metrics.ts"
import type { Exchange } from "./pipeline/exchange.ts"
import { notFound } from "./pipeline/not-found.ts"
import { type BodyPace, bodyPace } from "./reading/slow-bodies.ts"
import { trafficCounter } from "./traffic.ts"
import { errorResponder, problemReader } from "./writing/problem-response.ts"
import { headWriter } from "./writing/write-response.ts"

/** Overrides of the usual limits. */
export type ServingOverrides = {
  load?: Partial<Load>
  connectionLimits?: Partial<ConnectionLimits>
  unreadBudgets?: Partial<UnreadBudgets>
  pace?: Partial<BodyPace>
}

type ServingDeps = {
  clock: Clock
  log: Logger
  /** The base address of the service, without a trailing slash. */
  publicUrl(): string
  /** Counts requests by address. */
  attempts: Attempts
  connectionsPerAddress: number
  /** Address blocks of proxies whose `X-Forwarded-For` is trusted, and those exempt from limits. */
  trustedProxies: readonly string[]
  unlimitedAddresses: readonly string[]
  memoryBytes: number
  /** Whether the paths of the classic v2 are served too. */
  hasV2: boolean
  overrides: ServingOverrides
  /** The page for an unknown path. */
  notFoundPage(path: string): HttpResponse
}

export type Serving = ReturnType<typeof createServing>

/** The parts that all stores of a process share: one load, one set of connections, one count of requests. */
export function createServing(deps: ServingDeps) {
  const { clock, log, publicUrl, trustedProxies, unlimitedAddresses, overrides } = deps
  let draining = false
  const isDraining = () => draining
  const toProblem = problemReader(log)
  const budgets = { ...unreadBudgetsFor(deps.memoryBytes), ...overrides.unreadBudgets }
  const unread = unreadResponses(budgets, overrides.connectionLimits?.now ?? (() => performance.now()))
  const taken = connections()
  const writing = { isSecure: () => publicUrl().startsWith("https:"), isDraining }
  return {
    ...{ publicUrl, isDraining, trustedProxies, pace: { ...bodyPace, ...overrides.pace } },
    limitAddress: ipRateLimit(deps.attempts, unlimitedAddresses),
    connectionLimits: {
      perAddress: deps.connectionsPerAddress,
      total: connectionsMax.total,
      exempt: [...trustedProxies, ...unlimitedAddresses],
      ...overrides.connectionLimits,
    },
    load: loadShedding({ ...processLoad(), ...overrides.load }),
    requests: requestMetrics(),
    traffic: trafficCounter(clock),
    lookups: { hits: 0, misses: 0 },
    connections: taken,
    unread,
    writing,
    toProblem,
    respondToError: errorResponder({ publicUrl, toProblem, hasV2: deps.hasV2 }),
    respondNotFound: notFound(deps.notFoundPage),
    writeHead: headWriter(writing),
    /** Every response from now on closes its connection, and `/readyz` is 503. */
    drain(): void {
      draining = true
    },
    /** Keeps a response open for as long as the client reads what is written. */
    expectStream(exchange: Exchange): void {
      taken.expectStream(exchange.response)
      unread.follow(exchange)
    },
  }
}
