import type { IdempotencyStore, StoredResponse } from "../../domain/ports/idempotency.ts"
import { readOne, type Stored, withoutNulls } from "../rows.ts"
import { fragment, inDialect, type SqlConnection, sql } from "../statement.ts"

const read = sql<{ accountId: number; key: string; notBefore: number }, Stored<StoredResponse>>`
  SELECT fingerprint, status, etag, json FROM idempotency
  WHERE account_id = ${"accountId"} AND key = ${"key"} AND created_at >= ${"notBefore"}`

const keep = sql<StoredResponse & { accountId: number; key: string; at: number }>`
  INSERT INTO idempotency (account_id, key, fingerprint, status, etag, json, created_at)
  VALUES (${"accountId"}, ${"key"}, ${"fingerprint"}, ${"status"}, ${"etag"}, ${"json"}, ${"at"})
  ON CONFLICT (account_id, key) DO UPDATE
  SET fingerprint = excluded.fingerprint, status = excluded.status, etag = excluded.etag, json = excluded.json,
      created_at = excluded.created_at`

// With concurrent transactions, a placeholder row reserves the key until the response is stored; a rollback removes
// it. With serial ones a lookup is enough: a refused transaction has written nothing.
const claim = sql<{ accountId: number; key: string; notBefore: number }, { isFree: number }>`${inDialect({
  sqlite: fragment`
    SELECT 1 AS "isFree" WHERE NOT EXISTS (
      SELECT 1 FROM idempotency
      WHERE account_id = ${"accountId"} AND key = ${"key"} AND created_at >= ${"notBefore"})`,
  postgres: fragment`
    INSERT INTO idempotency (account_id, key, fingerprint, status, json, created_at)
    VALUES (${"accountId"}, ${"key"}, '', 0, '', ${"notBefore"})
    ON CONFLICT (account_id, key) DO UPDATE SET created_at = excluded.created_at
    WHERE idempotency.created_at < excluded.created_at
    RETURNING 1 AS "isFree"`,
})}`

const prune = sql<{ before: number; limit: number }>`
  DELETE FROM idempotency WHERE (account_id, key) IN
    (SELECT account_id, key FROM idempotency WHERE created_at < ${"before"} LIMIT ${"limit"})`

export const idempotencyStore = (db: SqlConnection): IdempotencyStore => ({
  read: async (accountId, key, notBefore) =>
    readOne(db, read, { accountId, key, notBefore }, withoutNulls<StoredResponse>),
  claim: async (accountId, key, notBefore) => (await db.one(claim, { accountId, key, notBefore })) !== undefined,
  keep: (accountId, key, response, at) => db.exec(keep, { ...response, accountId, key, at }),
  prune: async (before, limit) => db.run(prune, { before, limit }),
})
