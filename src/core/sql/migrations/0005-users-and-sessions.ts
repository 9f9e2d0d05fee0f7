import type { Dialect } from "../dialect.ts"

export const up = ({ generatedId, integer, tableOptions }: Dialect) => [
  // name is the username in lower case, json the public record. A deleted user keeps only the id, which orders refer to and
  // which is never reused.
  `CREATE TABLE users (
     id ${integer} NOT NULL PRIMARY KEY,
     account_id ${integer} NOT NULL REFERENCES accounts (id),
     name TEXT UNIQUE,
     json TEXT,
     password_hash TEXT
   ) ${tableOptions}`,
  `INSERT INTO counters (name, last) VALUES ('users', 0)`,

  `CREATE TABLE sessions (
     id ${generatedId},
     user_id ${integer} NOT NULL REFERENCES users (id),
     hash TEXT NOT NULL UNIQUE,
     expires_at ${integer} NOT NULL
   ) ${tableOptions}`,
  `CREATE INDEX sessions_by_user ON sessions (user_id, id)`,
  `CREATE INDEX sessions_by_expiry ON sessions (expires_at)`,
]
