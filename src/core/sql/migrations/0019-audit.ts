import type { Dialect } from "../dialect.ts"

export const up = ({ integer, tableOptions }: Dialect) => [
  // hash is the hash of json; the other columns are copies for searching.
  `CREATE TABLE audit (
     id ${integer} NOT NULL PRIMARY KEY,
     at ${integer} NOT NULL,
     action TEXT NOT NULL,
     principal TEXT NOT NULL,
     account ${integer},
     thing TEXT,
     json TEXT NOT NULL,
     hash TEXT NOT NULL
   ) ${tableOptions}`,
  `CREATE INDEX audit_by_time ON audit (at, id)`,
  `CREATE INDEX audit_by_action ON audit (action, id)`,
  `CREATE INDEX audit_by_principal ON audit (principal, id)`,
  `CREATE INDEX audit_by_account ON audit (account, id) WHERE account IS NOT NULL`,
  `CREATE INDEX audit_by_thing ON audit (thing, id) WHERE thing IS NOT NULL`,

  // One row: number and hash of the newest entry. Appending locks it, which orders the entries.
  `CREATE TABLE audit_head (
     id ${integer} NOT NULL PRIMARY KEY,
     last ${integer} NOT NULL,
     hash TEXT NOT NULL
   ) ${tableOptions}`,
  `INSERT INTO audit_head (id, last, hash) VALUES (1, 0, '${"0".repeat(64)}')`,
]
