import { randomUUID } from "node:crypto"
import type { Dialect } from "../dialect.ts"

/** A random id identifies a database and its backups. */
export const up = ({ tableOptions }: Dialect) => [
  `CREATE TABLE identity (id TEXT NOT NULL PRIMARY KEY) ${tableOptions}`,
  `INSERT INTO identity (id) VALUES ('${randomUUID()}')`,
]
