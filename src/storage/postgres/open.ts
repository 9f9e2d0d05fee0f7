import type { Database } from "../../domain/ports/store.ts"
import { repositories } from "../sql/store.ts"
import { type Address, parseAddress } from "./address.ts"
import { BatchedReads } from "./batched-reads.ts"
import { boundedConfig } from "./client.ts"
import { postgresConnection } from "./connection.ts"
import { postgresMetrics } from "./metrics.ts"
import { migrate } from "./migrate.ts"
import { Primary } from "./primary.ts"
import { Readers } from "./readers.ts"
import { connectFirst, type Server, unusable } from "./server.ts"
import { TransactionPool } from "./transactions.ts"
import { watchWrites } from "./watch-writes.ts"

/** Connections for reading outside transactions; each carries many questions at once. */
const readersMax = 4

type Options = {
  /** How many connections to open at most. */
  connections: number
  /** How long to wait for a server that does not respond yet. */
  patienceMs?: number
}

/** Opens a store in a PostgreSQL database, migrated as needed. Throws CannotStart when it cannot be used. */
export async function openPostgres(url: string, { connections, patienceMs }: Options): Promise<Database> {
  const address = parseAddress(url)
  const { server } = await prepareDatabase(address, patienceMs)
  const primary = new Primary(address.urls, boundedConfig(server.isProxied))
  const readers = new Readers(primary, Math.min(readersMax, Math.ceil(connections / 4)))
  const transactions = new TransactionPool(primary, { ...server, connections: connections - readers.count })
  const writes = watchWrites()
  const count = () => ({ transactions: transactions.connections, reading: readers.connections })
  return {
    product: server.product,
    isShared: true,
    ...repositories(
      postgresConnection(readers.send, { ...server, batches: new BatchedReads(readers.send, server.isNamed) }),
    ),
    transaction: (work) => writes.watch(transactions.run(work)),
    onCommit: (listener) => transactions.listen(listener),
    refusesWrites: writes.refusal,
    metrics: postgresMetrics(connections, count),
    compact: async () => 0,
    async close() {
      await transactions.close()
      await readers.close()
    },
  }
}

/** Brings a database up to date; returns the versions of its schema before and after. Throws CannotStart. */
export async function migratePostgres(url: string): Promise<{ from: number; to: number }> {
  const { from, to } = await prepareDatabase(parseAddress(url))
  return { from, to }
}

async function prepareDatabase(
  address: Address,
  patienceMs?: number,
): Promise<{ server: Server; from: number; to: number }> {
  const { client, server } = await connectFirst(address, patienceMs)
  try {
    return { server, ...(await migrate(client)) }
  } catch (error) {
    throw unusable(address, error)
  } finally {
    await client.end()
  }
}
