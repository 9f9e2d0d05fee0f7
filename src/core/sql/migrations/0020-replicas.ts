import type { Dialect } from "../dialect.ts"

/** Lets several processes on one database share the work. */
export const up = ({ name, integer, tableOptions, slots }: Dialect) => [
  `CREATE TABLE leases (name TEXT NOT NULL PRIMARY KEY, holder TEXT NOT NULL, ends_at ${integer} NOT NULL) ${tableOptions}`,
  `CREATE TABLE replicas (id TEXT NOT NULL PRIMARY KEY, seen_at ${integer} NOT NULL) ${tableOptions}`,

  // The number of pets of a status is the sum over its slots, because transactions that change the same slot block each
  // other.
  `ALTER TABLE inventory ADD COLUMN slot ${integer} NOT NULL DEFAULT 0`,
  ...(slots > 1 ? moreSlots(slots) : []),
  ...(name === "postgres" ? ["pets", "orders", "users"].flatMap(sequence) : []),
]

const moreSlots = (slots: number) => [
  `ALTER TABLE inventory DROP CONSTRAINT inventory_pkey`,
  `ALTER TABLE inventory ADD PRIMARY KEY (status, slot)`,
  `INSERT INTO inventory (status, slot, pets)
   SELECT status, n, 0 FROM inventory CROSS JOIN generate_series(1, ${slots - 1}) AS more (n)`,
]

/** A sequence replaces the row in `counters`, which would make transactions wait for each other. */
const sequence = (table: string) => [
  `CREATE SEQUENCE ${table}_ids`,
  `SELECT setval('${table}_ids', last + 1, false) FROM counters WHERE name = '${table}'`,
  `DELETE FROM counters WHERE name = '${table}'`,
]
