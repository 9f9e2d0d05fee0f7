import { gauge, type Metric } from "../../kernel/measure.ts"

/** The connections of transactions and how many transactions wait for one; the connections reads share. */
type Connections = {
  transactions: { busy: number; idle: number; waiting: number }
  reading: { busy: number; idle: number }
}

/** Measures the connections to a database; `max` is how many there may be in all. */
export const postgresMetrics = (max: number, count: () => Connections): readonly Metric[] => [
  {
    ...{ name: "petstore_database_connections", help: "Connections to the database, by use and state", type: "gauge" },
    labels: ["use", "state"],
    read() {
      const { transactions, reading } = count()
      return [
        { labels: { use: "transactions", state: "busy" }, value: transactions.busy },
        { labels: { use: "transactions", state: "idle" }, value: transactions.idle },
        { labels: { use: "reading", state: "busy" }, value: reading.busy },
        { labels: { use: "reading", state: "idle" }, value: reading.idle },
      ]
    },
  },
  gauge("petstore_database_connections_max", "Connections to the database this process may open", () => max),
  gauge(
    "petstore_database_connections_waiting",
    "Transactions that wait for a connection to the database",
    () => count().transactions.waiting,
  ),
]
