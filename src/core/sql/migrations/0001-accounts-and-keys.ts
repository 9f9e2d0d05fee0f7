import type { Dialect } from "../dialect.ts"

export const up = ({ generatedId, integer, tableOptions }: Dialect) => [
  `CREATE TABLE accounts (
     id ${generatedId},
     name TEXT NOT NULL,
     plan TEXT NOT NULL
   ) ${tableOptions}`,

  `CREATE TABLE keys (
     id ${generatedId},
     account_id ${integer} NOT NULL REFERENCES accounts (id),
     name TEXT NOT NULL,
     scopes TEXT NOT NULL,
     hash TEXT NOT NULL UNIQUE,
     expires_at ${integer},
     revoked_at ${integer}
   ) ${tableOptions}`,
]
