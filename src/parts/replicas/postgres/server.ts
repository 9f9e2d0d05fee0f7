// Decision: docs/decisions/storage-postgres.md#a-server-whose-connections-share-one-session-is-refused

import { setTimeout as pause } from "node:timers/promises"
import { type Client, DatabaseError } from "pg"
import { StoreUnavailable } from "../../../core/domain/ports/store.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import type { Address } from "./address.ts"
import { beginStatement, clientConfig, type Network } from "./client.ts"
import { toPostgresError, toPrivilegeAdvice } from "./errors.ts"
import { Primary } from "./primary.ts"

/** The time that a start waits for a server that is starting. */
const waitMs = 30_000
const pauseMs = 250

export type Server = {
  /** Whether a proxy shares the server's connections between clients. */
  isProxied: boolean
  /** Whether statements are prepared by name. */
  isNamed: boolean
  /** Name and version, such as PostgreSQL 17.2. */
  product: string
}

/** Connects once, waiting for a server that does not respond. Throws CannotStart with advice. */
export async function connectFirst(address: Address, wait = waitMs, network: Network = {}) {
  const deadline = performance.now() + wait
  const primary = new Primary(address.urls, { ...clientConfig, ...network })
  for (;;) {
    let client: Client | undefined
    try {
      client = await primary.connect()
      return { client, server: await examine(client, primary, address) }
    } catch (error) {
      await client?.end().catch(() => {})
      if (!mayPass(error) || performance.now() > deadline) throw toPostgresStartError(address, error)
    }
    await pause(pauseMs)
  }
}

/** Through a proxy, the client's process id differs from the server's. */
async function examine(client: Client, primary: Primary, { prepare, name }: Address): Promise<Server> {
  const { rows } = await client.query(
    "SELECT pg_backend_pid() AS id, version(), current_setting('server_encoding') AS encoding",
  )
  if (!/^utf-?8$/i.test(rows[0].encoding)) throw new CannotStart(notUnicode(name, rows[0].encoding))
  const isProxied = rows[0].id !== processIdOf(client)
  if (isProxied && prepare === undefined) throw new CannotStart(behindProxy)
  if (!isProxied && (await sharesSession(client, primary))) throw new CannotStart(oneSession)
  await client.query(beginStatement(isProxied))
  await client.query("ROLLBACK")
  return { isProxied, isNamed: prepare ?? true, product: rows[0].version.split(/ [(]| on /)[0] }
}

const processIdOf = (client: Client): number => (client as Client & { processID: number }).processID

/** Each connection to a PostgreSQL server has a process of its own. */
async function sharesSession(client: Client, primary: Primary): Promise<boolean> {
  const other = await primary.connect()
  await other.end()
  return processIdOf(other) === processIdOf(client)
}

const oneSession =
  "PETSTORE_DATABASE_URL leads to a server that executes the statements of all connections in one session, as PGlite does. " +
  "Concurrent requests would receive each other's rows. Use a PostgreSQL server, or unset PETSTORE_DATABASE_URL to use SQLite"

const notUnicode = (name: string, encoding: string): string =>
  `The database at ${name} has the encoding ${encoding}, which lacks characters of other languages. Create one with UTF8: ` +
  "CREATE DATABASE petstore ENCODING 'UTF8' TEMPLATE template0"

const behindProxy =
  "PETSTORE_DATABASE_URL leads to a proxy such as PgBouncer, or to a database compatible with PostgreSQL. Specify " +
  "whether it supports prepared statements: add prepare=on to the URL if it does (PgBouncer from 1.21 on with " +
  "max_prepared_statements above 0, or in session mode), else prepare=off, such as postgres://…/petstore?prepare=off"

/** Runs work of a start, whose errors it explains to the operator. Throws CannotStart. */
export async function explainStart<T>(address: Pick<Address, "name">, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toPostgresStartError(address, error)
  }
}

/** A server that is starting or stopping, or a name that does not resolve yet. */
function mayPass(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code === "57P03" || error.code === "53300"
  const { code } = error as { code?: string }
  return toPostgresError(error) instanceof StoreUnavailable && !/^(ERR_|CERT_|DEPTH_|UNABLE_|SELF_)/.test(code ?? "")
}

/** Explains to the operator why a server cannot be used; a bug is returned unchanged. */
function toPostgresStartError({ name }: Pick<Address, "name">, error: unknown): unknown {
  const advice = toPrivilegeAdvice(error)
  if (advice) return new CannotStart(`The database at ${name} cannot be used: ${advice}`, { cause: error })
  const known = error instanceof StoreUnavailable ? error : toPostgresError(error)
  if (error instanceof CannotStart || !(known instanceof StoreUnavailable)) return error
  const { message } = (known.cause ?? known) as Error
  return new CannotStart(
    `The database at ${name} cannot be used: ${message || known.message}. Check PETSTORE_DATABASE_URL, and that the server runs.`,
    { cause: error },
  )
}
