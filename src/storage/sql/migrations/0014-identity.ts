import { randomUUID } from "node:crypto"
import type { Dialect } from "../dialect.ts"

/** A database is told from every other one by a random id, which its backups share. */
export const up = ({ tableOptions }: Dialect) => [
  `CREATE TABLE identity (id TEXT NOT NULL PRIMARY KEY) ${tableOptions}`,
  `INSERT INTO identity (id) VALUES ('${randomUUID()}')`,
]
