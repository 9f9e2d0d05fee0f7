import { type ClientConfig, type QueryConfig, type QueryResult, types } from "pg"

/** Sends one statement to the server; rejects with StoreUnavailable when the server fails. */
export type Send = (query: QueryConfig) => Promise<QueryResult>

/** How long a statement may take, and how long it may wait for a lock that somebody else holds. */
const statementTimeoutMs = 10_000
const lockTimeoutMs = 5_000
/** How long a transaction may do nothing. */
const idleTimeoutMs = 30_000
/** How long connecting may take, and how long a transaction waits for a connection. */
export const connectTimeoutMs = 5_000
/** Longer than the server lets a statement take: who hears nothing by then has lost the server. */
const silenceMaxMs = statementTimeoutMs + 5_000

/** What every connection has in common. Statements are sent without waiting for the result of the one before. */
export const clientConfig = {
  fallback_application_name: "petstore",
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  pipeline: true,
  types: { getTypeParser: getTypeParser as typeof types.getTypeParser },
} satisfies ClientConfig

/** The same, and no statement takes forever. A proxy that shares connections refuses parameters of a session. */
export const boundedConfig = (isProxied: boolean): ClientConfig => ({
  ...clientConfig,
  query_timeout: silenceMaxMs,
  ...(!isProxied && {
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleTimeoutMs,
  }),
})

/** Begins a transaction; behind a proxy its bounds are set with it. */
export const beginStatement = (isProxied: boolean): string =>
  isProxied
    ? `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = ${statementTimeoutMs}; ` +
      `SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleTimeoutMs}`
    : "BEGIN ISOLATION LEVEL READ COMMITTED"

/** Integers and sums are numbers: none here is larger than 2^53. */
function getTypeParser(oid: number, format?: "text") {
  const isInteger = oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
  return isInteger ? Number : types.getTypeParser(oid, format)
}
