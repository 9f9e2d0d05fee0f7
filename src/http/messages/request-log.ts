import type { Caller } from "../../domain/accounts/model.ts"
import { logTimestamp } from "../../kernel/clock.ts"
import type { Exchange } from "../exchange.ts"

/** Where finished lines go, each with its line feed. */
export type LogDestination = { write(line: string): unknown }

const infoLevel = 30

/**
 * Logs one JSON line a request, put together by hand: a general logger takes a quarter of the time of a whole request.
 * Queries, headers and bodies may hold secrets and never reach the log.
 */
export const requestLog =
  (destination: LogDestination) =>
  (exchange: Exchange): void => {
    const { id, method, path, route, status, startedAt, caller } = exchange
    const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000
    const operation = route?.operation === undefined ? "" : `,"operation":"${route.operation}"`
    destination.write(
      `{"level":${infoLevel},"time":"${logTimestamp()}","requestId":"${id}","method":"${method}","path":${quote(path)}` +
        `${operation},"status":${status},"durationMs":${durationMs}${caller ? credential(caller) : ""}}\n`,
    )
  }

/** `{ account: 3, key: 1 }` or `{ account: 3, session: 7 }`, for log lines. */
export const credentialOf = ({ account, credential: { kind, id } }: Caller): Record<string, number> => ({
  account: account.id,
  [kind]: id,
})

const credential = ({ account, credential: { kind, id } }: Caller): string => `,"account":${account.id},"${kind}":${id}`

/** Anything but printable ASCII, or a character that JSON escapes. */
const needsEscape = /[^\x20-\x7e]|["\\]/
const quote = (text: string): string => (needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`)
