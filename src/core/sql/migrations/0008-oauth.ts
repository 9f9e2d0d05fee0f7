import type { Dialect } from "../dialect.ts"

export const up = ({ generatedId, integer, tableOptions }: Dialect) => [
  `CREATE TABLE oauth_clients (
     id ${generatedId},
     account_id ${integer} NOT NULL REFERENCES accounts (id),
     client_id TEXT NOT NULL UNIQUE,
     name TEXT NOT NULL,
     type TEXT NOT NULL,
     redirect_uris TEXT NOT NULL,
     scopes TEXT NOT NULL,
     secret_hash TEXT,
     previous_secret_hash TEXT,
     previous_secret_until ${integer},
     created_at TEXT NOT NULL
   ) ${tableOptions}`,
  `CREATE INDEX oauth_clients_by_account ON oauth_clients (account_id, id)`,

  `CREATE TABLE oauth_records (
     kind TEXT NOT NULL,
     hash TEXT NOT NULL,
     uid TEXT,
     grant_id TEXT,
     client_id TEXT,
     user_id ${integer},
     scope TEXT NOT NULL,
     json TEXT NOT NULL,
     expires_at ${integer} NOT NULL,
     consumed_at ${integer},
     PRIMARY KEY (kind, hash)
   ) ${tableOptions}`,
  `CREATE INDEX oauth_records_by_uid ON oauth_records (uid)`,
  `CREATE INDEX oauth_records_by_grant ON oauth_records (grant_id)`,
  `CREATE INDEX oauth_records_by_client ON oauth_records (client_id)`,
  `CREATE INDEX oauth_records_by_user ON oauth_records (user_id)`,
  `CREATE INDEX oauth_records_by_expiry ON oauth_records (expires_at)`,

  `CREATE TABLE signing_keys (
     kid TEXT NOT NULL PRIMARY KEY,
     sealed TEXT NOT NULL,
     created_at ${integer} NOT NULL
   ) ${tableOptions}`,
]
