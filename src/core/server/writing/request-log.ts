// Decision: docs/decisions/observability.md#log-lines-are-assembled-from-prepared-parts-and-written-300-at-a-time

import { logTimestamp } from "../../kernel/clock.ts"
import { memoize } from "../../kernel/flow/memoize.ts"
import { onceForEach } from "../../kernel/flow/once-for-each.ts"
import type { Exchange, HttpRoute, Identity } from "../exchange/exchange.ts"
import { traceIdOf } from "../reading/trace-context.ts"
import { type AddressDetail, loggedAddress } from "./logged-address.ts"

/** Receives finished lines, each with its line feed. */
type LogDestination = { write(line: string): unknown }

/**
 * Logs one JSON line per request, assembled by hand: a general logger takes a quarter of the time of a whole request,
 * and concatenating every piece still a tenth. Names with dots follow OpenTelemetry's conventions. Queries, headers and
 * bodies may hold secrets and are never logged.
 */
export function requestLog(destination: LogDestination | undefined, addressDetail: AddressDetail) {
  if (destination === undefined) return () => undefined
  const addressPart = loggedAddress(addressDetail)

  return (exchange: Exchange, durationMs: number): void => {
    const { id, method, path, route, status, caller, created, problem, address, request, span, mount } = exchange
    const traceId = span?.traceId ?? traceIdOf(request.headers.traceparent)
    destination.write(
      opening(logTimestamp()) +
        id +
        methodPart(method) +
        (needsEscape.test(path) ? escaped(path) : path) +
        outcomePart(route, status) +
        Math.round(durationMs * 1000) / 1000 +
        addressPart(address) +
        (caller ? principalPart(caller) : "") +
        mount.logged +
        (created === undefined ? "" : `,"created":${created}`) +
        (problem === undefined ? "" : `,"error.type":"${problem}"`) +
        (traceId === undefined ? "" : `,"trace_id":"${traceId}"`) +
        (span === undefined ? "}\n" : `,"span_id":"${span.spanId}"}\n`),
    )
  }
}

// Pieces that lines share. V8 would keep a template as a tree of its parts; a joined text is flat.

/** Of the parts that lines share; `time` changes each millisecond. */
const few = { entriesMax: 100, lengthMax: 32 }

const opening = memoize((time) => ['{"level":30,"time":"', time, '","requestId":"'].join(""), few)

const methodPart = memoize((method) => ['","http.request.method":"', method, '","url.path":"'].join(""), few)

const outcomePart = (route: HttpRoute | undefined, status: number): string =>
  outcomesOf(route ?? noRoute)(String(status))

const noRoute = {}

const outcomesOf = onceForEach(({ operation }: Pick<HttpRoute, "operation">) => {
  const operationPart = operation === undefined ? "" : `,"operation":"${operation}"`
  return memoize(
    (status) => ['"', operationPart, `,"http.response.status_code":${status}`, ',"durationMs":'].join(""),
    few,
  )
})

const principalPart = onceForEach((caller: Identity): string => {
  const parts = Object.entries(loggedIds(caller)).map(([name, id]) => `,"${name}":${id}`)
  return parts.join("")
})

/** `{ account: 3, key: 1 }` or `{ account: 3, session: 7, "user.id": 2 }`, for log lines. */
export const loggedIds = ({ account, credential: { kind, id }, user }: Identity): Record<string, number> => ({
  account: account.id,
  [kind]: id,
  ...(user && { "user.id": user.id }),
})

/** Anything except printable ASCII, and the characters that JSON escapes. */
const needsEscape = /[^\x20-\x7e]|["\\]/
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)
