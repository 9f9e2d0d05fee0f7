import type { Repositories } from "../../domain/ports.ts"
import { repositories } from "../sql/store.ts"
import { parseAddress } from "./address.ts"
import { boundedConfig } from "./client.ts"
import { postgresConnection } from "./connection.ts"
import { Primary } from "./primary.ts"
import { Readers } from "./readers.ts"
import { connectFirst } from "./server.ts"

/** Reads a database as it is, whichever service uses it. Throws CannotStart when it cannot be reached. */
export async function openPostgresReader(url: string): Promise<Repositories & AsyncDisposable> {
  const address = parseAddress(url)
  const { client, server } = await connectFirst(address)
  await client.end()
  const readers = new Readers(new Primary(address.urls, boundedConfig(server.isProxied)), 1)
  return {
    ...repositories(postgresConnection(readers.send, server)),
    [Symbol.asyncDispose]: () => readers.close(),
  }
}
