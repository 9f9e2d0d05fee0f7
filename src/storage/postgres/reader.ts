import type { Repositories } from "../../domain/ports/store.ts"
import { repositories } from "../sql/store.ts"
import { parseAddress } from "./address.ts"
import { boundedConfig } from "./client.ts"
import { postgresConnection } from "./connection.ts"
import { readVersion } from "./migrate.ts"
import { Primary } from "./primary.ts"
import { Readers } from "./readers.ts"
import { connectFirst } from "./server.ts"

/** A database that is read as it is, whichever service uses it; `schema` is the version of its schema. */
type PostgresReader = AsyncDisposable & { schema: number; repositories: Repositories }

/** Throws CannotStart when the database cannot be reached. */
export async function readPostgres(url: string): Promise<PostgresReader> {
  const address = parseAddress(url)
  const { client, server } = await connectFirst(address)
  const schema = Number((await readVersion(client).finally(() => client.end())) ?? 0)
  const readers = new Readers(new Primary(address.urls, boundedConfig(server.isProxied)), 1)
  return {
    schema,
    repositories: repositories(postgresConnection(readers.send, server)),
    [Symbol.asyncDispose]: () => readers.close(),
  }
}
