import type { Database } from "../../domain/ports/store.ts"
import { gauge, type Metric } from "../../kernel/measure.ts"
import { SharedTransactions } from "../sql/shared-transactions.ts"
import { repositories } from "../sql/store.ts"
import { type Address, parseDatabaseUrl } from "./address.ts"
import { BatchedReads } from "./batched-reads.ts"
import { boundedConfig } from "./client.ts"
import { postgresConnection } from "./connection.ts"
import { migrateSchema, readPostgresVersion } from "./migrate.ts"
import { Primary } from "./primary.ts"
import { Readers } from "./readers.ts"
import { connectFirst, toPostgresStartError } from "./server.ts"
import { Silence } from "./silence.ts"
import { startOver } from "./start-over.ts"
import { TransactionPool } from "./transactions.ts"

/** Connections for reads outside of transactions; each carries many queries at once. */
const readersMax = 4

type Options = {
  /** Maximum connections. */
  connections: number
  /** The time to wait for a server that does not respond. */
  waitMs?: number
}

/** Opens a store in a PostgreSQL database and migrates it. Throws CannotStart. */
export async function openPostgres(url: string, { connections, waitMs }: Options): Promise<Database> {
  const address = parseDatabaseUrl(url)
  const { server } = await prepareDatabase(address, waitMs)
  const primary = new Primary(address.urls, boundedConfig(server.isProxied))
  const readerCount = Math.min(readersMax, Math.ceil(connections / 4))
  const silence = new Silence(primary)
  const readers = new Readers(primary, silence, readerCount)
  const transactions = new TransactionPool(primary, silence, { ...server, connections: connections - readerCount })
  // One at a time: larger ones cost less per input.
  const shared = new SharedTransactions((work) => transactions.run(work), 1)
  return {
    product: server.product,
    isShared: true,
    ...repositories(
      postgresConnection(readers.send, { ...server, batches: new BatchedReads(readers.send, server.isNamed) }),
    ),
    transaction: (work) => transactions.run(work),
    async shared(work, input) {
      silence.refuse()
      return shared.run(work, input)
    },
    startOver: startOver(transactions),
    onCommit: (listener) => transactions.listen(listener),
    refusesWrites: () => transactions.refusal,
    metrics: postgresMetrics(connections, () => ({
      transactions: transactions.connections,
      reading: readers.connections,
    })),
    compact: async () => 0,
    async close() {
      await transactions.close()
      await readers.close()
      silence.close()
    },
  }
}

/** Migrates a database; returns the schema versions before and after. Throws CannotStart. */
export async function migratePostgres(url: string): Promise<{ from: number; to: number }> {
  const { from, to } = await prepareDatabase(parseDatabaseUrl(url))
  return { from, to }
}

async function prepareDatabase(address: Address, waitMs?: number) {
  const { client, server } = await connectFirst(address, waitMs)
  try {
    return { server, ...(await migrateSchema(client)) }
  } catch (error) {
    throw toPostgresStartError(address, error)
  } finally {
    await client.end()
  }
}

/** Opens a database for reading, even while services use it; `schema` is its version. Throws CannotStart. */
export async function openPostgresReader(url: string) {
  const address = parseDatabaseUrl(url)
  const { client, server } = await connectFirst(address)
  const schema = Number((await readPostgresVersion(client).finally(() => client.end())) ?? 0)
  const primary = new Primary(address.urls, boundedConfig(server.isProxied))
  const silence = new Silence(primary)
  const readers = new Readers(primary, silence, 1)
  return {
    schema,
    repositories: repositories(postgresConnection(readers.send, server)),
    async [Symbol.asyncDispose]() {
      await readers.close()
      silence.close()
    },
  }
}

type Connections = {
  transactions: TransactionPool["connections"]
  reading: Readers["connections"]
}

/** Metrics of the connections to a database, of which there may be `max`. */
export const postgresMetrics = (max: number, count: () => Connections): readonly Metric[] => [
  {
    name: "petstore_database_connections",
    help: "Connections to the database, by use and state",
    type: "gauge",
    labels: ["use", "state"],
    read: () =>
      Object.entries(count()).flatMap(([use, { busy, idle }]) => [
        { labels: { use, state: "busy" }, value: busy },
        { labels: { use, state: "idle" }, value: idle },
      ]),
  },
  gauge("petstore_database_connections_max", "Connections to the database this process may open", () => max),
  gauge(
    "petstore_database_connections_waiting",
    "Transactions that wait for a connection to the database",
    () => count().transactions.waiting,
  ),
]
