import { type ClientConfig, type QueryConfig, type QueryResult, types } from "pg"

/** Sends one statement; rejects with StoreUnavailable when the server fails. */
export type SendQuery = (query: QueryConfig) => Promise<QueryResult>

/** How the connection of a client is opened; by default over TCP. */
export type Network = Pick<ClientConfig, "stream">

const statementTimeoutMs = 10_000
const lockTimeoutMs = 500
/** A read locks no row: it waits only for a change of the schema, which gives way sooner than this. */
const readLockTimeoutMs = 5_000
const idleTimeoutMs = 30_000
/** Bounds connecting, and the wait of a transaction for a connection. */
export const connectTimeoutMs = 5_000
/** Longer than the statement timeout: without a reply by then, the server is lost. */
const silenceMaxMs = statementTimeoutMs + 5_000

/** Shared by all connections. Statements are sent without waiting for earlier results. */
export const clientConfig = {
  fallback_application_name: "petstore",
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  pipeline: true,
  types: { getTypeParser: getTypeParser as typeof types.getTypeParser },
} satisfies ClientConfig

/** The same with timeouts. A proxy that shares connections refuses session parameters. */
export const boundedConfig = (isProxied: boolean): ClientConfig => ({
  ...clientConfig,
  query_timeout: silenceMaxMs,
  ...(!isProxied && {
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleTimeoutMs,
  }),
})

/** What differs from it on connections for reads outside of transactions. */
export const readingConfig = (isProxied: boolean): ClientConfig =>
  isProxied ? {} : { lock_timeout: readLockTimeoutMs }

/** Behind a proxy, the timeouts are set in each transaction. */
export function beginStatement(isProxied: boolean, lockMs = lockTimeoutMs): string {
  const statements = ["BEGIN ISOLATION LEVEL READ COMMITTED"]
  if (isProxied || lockMs !== lockTimeoutMs) statements.push(`SET LOCAL lock_timeout = ${lockMs}`)
  if (isProxied)
    statements.push(
      `SET LOCAL statement_timeout = ${statementTimeoutMs}`,
      `SET LOCAL idle_in_transaction_session_timeout = ${idleTimeoutMs}`,
    )
  return statements.join("; ")
}

/** Integers and sums are numbers: none exceeds 2^53. */
function getTypeParser(oid: number, format?: "text") {
  const isInteger = oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
  return isInteger ? Number : types.getTypeParser(oid, format)
}
