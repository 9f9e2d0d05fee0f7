import type { Database } from "../../../core/domain/ports/store.ts"
import { type Counts, counter, gauge, type Metric } from "../../../core/kernel/measure.ts"
import { SharedTransactions } from "../../../core/sql/shared-transactions.ts"
import { repositories } from "../../../core/sql/store.ts"
import { type Address, parseDatabaseUrl } from "./address.ts"
import { BatchedReads } from "./batched-reads.ts"
import { boundedConfig, type Network, readingConfig } from "./client.ts"
import { postgresConnection } from "./connection.ts"
import { createCancellations } from "./errors.ts"
import { HeldTransactions, shareOf } from "./held-transactions.ts"
import { migrateSchema, readPostgresVersion } from "./migrate.ts"
import { Primary } from "./primary.ts"
import { Readers } from "./readers.ts"
import { connectFirst, explainStart } from "./server.ts"
import { Silence } from "./silence.ts"
import { startOver } from "./start-over.ts"
import { TransactionPool } from "./transactions.ts"

/** Connections for reads outside of transactions; each carries many queries at once. */
const readersMax = 4
/** An input whose rows another transaction holds delays the others in its transaction for so long. */
const lockMs = { common: 100, divided: 20 }

type Options = {
  /** Maximum connections. */
  connections: number
  /** The time to wait for a server that does not respond. */
  waitMs?: number
} & Network

/** Opens a store in a PostgreSQL database and migrates it. Throws CannotStart. */
export async function openPostgres(url: string, { connections, waitMs, ...network }: Options): Promise<Database> {
  const address = parseDatabaseUrl(url)
  const { server } = await prepareDatabase(address, waitMs, network)
  const primary = new Primary(address.urls, { ...boundedConfig(server.isProxied), ...network })
  const readerCount = Math.min(readersMax, Math.ceil(connections / 4))
  const silence = new Silence(primary)
  const cancellations = createCancellations()
  const reading = { connections: readerCount, cancellations }
  const readers = new Readers(primary, silence, readingConfig(server.isProxied), reading)
  const writing = { ...server, connections: connections - readerCount, cancellations }
  const transactions = new TransactionPool(primary, silence, writing)
  const divided = new HeldTransactions(shareOf(connections))
  const shared = new SharedTransactions({
    common: (work) => transactions.runOnce(work, lockMs.common),
    divided: (work) => divided.run(() => transactions.runOnce(work, lockMs.divided), 0),
    alone: (work) => divided.run(() => transactions.runOnce(work, lockMs.divided)),
    // Larger ones cost less per input.
    commonMax: 1,
  })
  return {
    product: server.product,
    isShared: true,
    backgroundMax: shareOf(connections),
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
    metrics: [
      ...shared.metrics,
      ...postgresMetrics(connections, () => ({
        transactions: transactions.connections,
        reading: readers.connections,
        inputsWaiting: shared.waiting,
        locksWaiting: transactions.held + divided.count,
        cancellations,
      })),
    ],
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

async function prepareDatabase(address: Address, waitMs?: number, network?: Network) {
  const { client, server } = await connectFirst(address, waitMs, network)
  const migrated = explainStart(address, () => migrateSchema(client))
  return { server, ...(await migrated.finally(() => client.end())) }
}

/** Opens a database for reading, even while services use it; `schema` is its version. Throws CannotStart. */
export async function openPostgresReader(url: string) {
  const address = parseDatabaseUrl(url)
  const { client, server } = await connectFirst(address)
  const version = explainStart(address, () => readPostgresVersion(client))
  const schema = Number((await version.finally(() => client.end())) ?? 0)
  const primary = new Primary(address.urls, boundedConfig(server.isProxied))
  const silence = new Silence(primary)
  const reading = { connections: 1, cancellations: createCancellations() }
  const readers = new Readers(primary, silence, readingConfig(server.isProxied), reading)
  return {
    schema,
    repositories: repositories(postgresConnection(readers.send, server)),
    async [Symbol.asyncDispose]() {
      await readers.close()
      silence.close()
    },
  }
}

type Work = {
  transactions: TransactionPool["connections"]
  reading: Readers["connections"]
  inputsWaiting: number
  locksWaiting: number
  cancellations: Counts
}

/** Metrics of the work in a database, to which there may be `max` connections. */
export const postgresMetrics = (max: number, count: () => Work): readonly Metric[] => [
  {
    name: "petstore_database_connections",
    help: "Connections to the database, by use and state",
    type: "gauge",
    labels: ["use", "state"],
    read: () =>
      (["transactions", "reading"] as const).flatMap((use) => {
        const { busy, idle } = count()[use]
        return [
          { labels: { use, state: "busy" }, value: busy },
          { labels: { use, state: "idle" }, value: idle },
        ]
      }),
  },
  gauge("petstore_database_connections_max", "Connections to the database this process may open", () => max),
  gauge(
    "petstore_database_connections_waiting",
    "Transactions that wait for a connection to the database",
    () => count().transactions.waiting,
  ),
  gauge(
    "petstore_database_inputs_waiting",
    "Creates that wait for a transaction that they share with others",
    () => count().inputsWaiting,
  ),
  gauge(
    "petstore_database_locks_waiting",
    "Transactions that found a row locked, and are tried again",
    () => count().locksWaiting,
  ),
  counter(
    "petstore_database_cancellations_total",
    "Statements that PostgreSQL cancelled, by its name for the reason",
    "reason",
    count().cancellations,
  ),
]
