import { statSync } from "node:fs"
import { gauge, type Metric } from "../../kernel/measure.ts"

/** Measures a database file and the line in front of it. */
export const sqliteMetrics = (file: string, waiting: () => number): readonly Metric[] => [
  gauge("petstore_commits_waiting", "Transactions that wait to be committed", waiting),
  gauge("petstore_database_size_bytes", "Size of the database file", () => sizeOf(file)),
  gauge("petstore_database_wal_size_bytes", "Size of the write-ahead log beside it", () => sizeOf(`${file}-wal`)),
]

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
