import type { Dialect } from "../dialect.ts"

export const up = ({ generatedId, integer, tableOptions }: Dialect) => [
  `CREATE TABLE events (
     id ${generatedId},
     kind TEXT NOT NULL,
     json TEXT NOT NULL,
     created_at ${integer} NOT NULL,
     account_id ${integer} REFERENCES accounts (id)
   ) ${tableOptions}`,

  `CREATE TABLE idempotency (
     account_id ${integer} NOT NULL REFERENCES accounts (id),
     key TEXT NOT NULL,
     fingerprint TEXT NOT NULL,
     status ${integer} NOT NULL,
     etag TEXT,
     json TEXT NOT NULL,
     created_at ${integer} NOT NULL,
     PRIMARY KEY (account_id, key)
   ) ${tableOptions}`,
  `CREATE INDEX idempotency_by_age ON idempotency (created_at)`,
]
