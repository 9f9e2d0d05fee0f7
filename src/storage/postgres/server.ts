import { setTimeout as pause } from "node:timers/promises"
import { type Client, DatabaseError } from "pg"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import type { Address } from "./address.ts"
import { beginStatement, clientConfig } from "./client.ts"
import { toStoreError } from "./errors.ts"
import { Primary } from "./primary.ts"

/** How long a start waits for a server that is starting itself. */
const patienceMs = 30_000
const pauseMs = 250

/** What is at the other end of an address. */
export type Server = {
  /** Whether a proxy shares the server's connections between clients. */
  isProxied: boolean
  /** Whether statements are prepared by name. */
  isNamed: boolean
  /** Its name and version, such as PostgreSQL 17.2. */
  product: string
}

/** Connects once, waiting for a server that does not respond yet. Throws CannotStart with what would help. */
export async function connectFirst(
  address: Address,
  patience = patienceMs,
): Promise<{ client: Client; server: Server }> {
  const giveUpAt = performance.now() + patience
  const primary = new Primary(address.urls, clientConfig)
  for (;;) {
    let client: Client | undefined
    try {
      client = await primary.connect()
      return { client, server: await examine(client, address) }
    } catch (error) {
      await client?.end().catch(() => {})
      if (!mayPass(error) || performance.now() > giveUpAt) throw unusable(address, error)
    }
    await pause(pauseMs)
  }
}

/** A proxy tells its clients another process id than the one the server knows them by. */
async function examine(client: Client, { prepare }: Address): Promise<Server> {
  const { rows } = await client.query("SELECT pg_backend_pid() AS id, version()")
  const isProxied = rows[0].id !== (client as unknown as { processID: number }).processID
  if (isProxied && prepare === undefined) throw new CannotStart(behindProxy)
  await client.query(beginStatement(isProxied))
  await client.query("ROLLBACK")
  return { isProxied, isNamed: prepare ?? true, product: rows[0].version.split(/ [(]| on /)[0] }
}

const behindProxy =
  "PETSTORE_DATABASE_URL leads to a proxy such as PgBouncer, or to another database that speaks like PostgreSQL. Say " +
  "whether it keeps prepared statements: add prepare=on to the URL if it does (PgBouncer from 1.21 on with " +
  "max_prepared_statements above 0, or in session mode), else prepare=off, such as postgres://…/petstore?prepare=off"

/** A server that starts or stops, or whose name is not known yet. */
function mayPass(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code === "57P03" || error.code === "53300"
  const { code } = error as { code?: string }
  return toStoreError(error) instanceof StoreUnavailable && !/^(ERR_|CERT_|DEPTH_|UNABLE_|SELF_)/.test(code ?? "")
}

/** Why a server cannot be used, for the person who starts the service; what is a bug stays as it is. */
export function unusable({ name }: Pick<Address, "name">, error: unknown): unknown {
  const known = error instanceof StoreUnavailable ? error : toStoreError(error)
  if (error instanceof CannotStart || !(known instanceof StoreUnavailable)) return error
  const { message } = (known.cause ?? known) as Error
  return new CannotStart(
    `The database at ${name} cannot be used: ${message || known.message}. Check PETSTORE_DATABASE_URL, and that the server runs.`,
    { cause: error },
  )
}
