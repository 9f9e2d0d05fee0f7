import type { Logger } from "pino"
import type { Clock } from "../kernel/clock.ts"
import type { Attempts } from "../kernel/flow/attempts.ts"
import type { Awaitable } from "../kernel/flow/awaitable.ts"
import type { HttpResponse } from "../kernel/network/http-response.ts"
import type { Exchange } from "./exchange/exchange.ts"
import type { SendInner } from "./inner-requests.ts"
import {
  type ConnectionLimits,
  type Connections,
  connectionsMax,
  createConnections,
} from "./limits/connection-limit.ts"
import { type IpRateLimit, ipRateLimit } from "./limits/ip-rate-limit.ts"
import { createLoadShedding, type Load, type LoadShedding, processLoad } from "./limits/load-shedding.ts"
import { type UnreadBudgets, unreadBudgetsFor } from "./limits/unread-budgets.ts"
import { type UnreadResponses, unreadResponses } from "./limits/unread-responses.ts"
import { createRequestMetrics, type Lookups, type RequestMetrics } from "./metrics.ts"
import { type NotFoundPage, notFound } from "./pipeline/not-found.ts"
import { type BodyPace, bodyPace } from "./reading/slow-bodies.ts"
import { type Traffic, trafficCounter } from "./traffic.ts"
import {
  type AsProblem,
  errorResponder,
  type ProblemPage,
  type ProblemTable,
  problemReader,
  type RespondToError,
  type ToProblem,
} from "./writing/problem-response.ts"
import { headWriter, type WriteHead, type Writing } from "./writing/write-response.ts"

export type HttpOverrides = {
  load?: Partial<Load>
  connectionLimits?: Partial<ConnectionLimits>
  unreadBudgets?: Partial<UnreadBudgets>
  pace?: Partial<BodyPace>
}

type HttpContextParts = {
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
  hasV2: boolean
  overrides: HttpOverrides
  problems: ProblemTable
  asProblem: AsProblem
  /** The page for an unknown path; a problem without one. */
  notFoundPage: NotFoundPage | undefined
  /** The page for a problem of another page; a document without one. */
  problemPage: ProblemPage | undefined
  /** The path of the pages that document the API, if there are any. */
  docsPath: string | undefined
}

/** What all stores of a process share of HTTP: one load, one set of connections, one count of requests. */
export type HttpContext = {
  /** The path of the pages that document the API; undefined without them. */
  docsPath: string | undefined
  /** The base address of the service, without a trailing slash. */
  publicUrl(): string
  trustedProxies: readonly string[]
  pace: BodyPace
  limitAddress: IpRateLimit
  connectionLimits: ConnectionLimits
  connections: Connections
  load: LoadShedding
  requests: RequestMetrics
  traffic: Traffic
  /** Lookups in the cache of principals. */
  lookups: Lookups
  unread: UnreadResponses
  writing: Writing
  writeHead: WriteHead
  problems: ProblemTable
  toProblem: ToProblem
  respondToError: RespondToError
  respondNotFound(exchange: Exchange): Awaitable<HttpResponse>
  /** Sends a request to this service without a network. The server sets it when it opens. */
  sendInner: SendInner
  /** Keeps a response open for as long as the client reads what is written. */
  expectStream(exchange: Exchange): void
  isDraining(): boolean
  /** Every response from now on closes its connection, and `/readyz` is 503. */
  drain(): void
}

export function createHttpContext(parts: HttpContextParts): HttpContext {
  const { clock, log, publicUrl, trustedProxies, unlimitedAddresses, overrides } = parts
  let isDraining = false
  const toProblem = problemReader(log, parts.problems, parts.asProblem)
  const budgets = { ...unreadBudgetsFor(parts.memoryBytes), ...overrides.unreadBudgets }
  const unread = unreadResponses(budgets, overrides.connectionLimits?.now ?? (() => performance.now()))
  const connections = createConnections()
  const writing = {
    isSecure: () => publicUrl().startsWith("https:"),
    isDraining: () => isDraining,
  }
  return {
    docsPath: parts.docsPath,
    publicUrl,
    trustedProxies,
    pace: { ...bodyPace, ...overrides.pace },
    limitAddress: ipRateLimit(parts.attempts, unlimitedAddresses),
    connectionLimits: {
      perAddress: parts.connectionsPerAddress,
      total: connectionsMax,
      exempt: [...trustedProxies, ...unlimitedAddresses],
      ...overrides.connectionLimits,
    },
    connections,
    load: createLoadShedding({ ...processLoad(), ...overrides.load }),
    requests: createRequestMetrics(Object.keys(parts.problems)),
    traffic: trafficCounter(clock),
    lookups: { hits: 0, misses: 0 },
    unread,
    writing,
    writeHead: headWriter(writing),
    problems: parts.problems,
    toProblem,
    respondToError: errorResponder(parts.problems, publicUrl, toProblem, parts.hasV2, parts.problemPage),
    respondNotFound: notFound(parts.notFoundPage, parts.docsPath),
    sendInner: () => Promise.reject(new Error("the server is not open")),
    expectStream(exchange) {
      connections.expectStream(exchange.response)
      unread.follow(exchange)
    },
    isDraining: writing.isDraining,
    drain() {
      isDraining = true
    },
  }
}
