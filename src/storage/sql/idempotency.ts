import type { IdempotencyStore } from "../../domain/idempotency/store.ts"
import { type Connection, sql } from "./statement.ts"

type AnswerRow = { fingerprint: string; status: number; etag: string | null; json: string }

const read = sql<{ accountId: number; key: string; notBefore: number }, AnswerRow>`
  SELECT fingerprint, status, etag, json FROM idempotency
  WHERE account_id = ${"accountId"} AND key = ${"key"} AND created_at >= ${"notBefore"}`

const put = sql<AnswerRow & { accountId: number; key: string; at: number }>`
  INSERT INTO idempotency (account_id, key, fingerprint, status, etag, json, created_at)
  VALUES (${"accountId"}, ${"key"}, ${"fingerprint"}, ${"status"}, ${"etag"}, ${"json"}, ${"at"})
  ON CONFLICT (account_id, key) DO UPDATE
  SET fingerprint = excluded.fingerprint, status = excluded.status, etag = excluded.etag, json = excluded.json,
      created_at = excluded.created_at`

const prune = sql<{ before: number; limit: number }>`
  DELETE FROM idempotency WHERE (account_id, key) IN
    (SELECT account_id, key FROM idempotency WHERE created_at < ${"before"} LIMIT ${"limit"})`

export const idempotencyStore = (db: Connection): IdempotencyStore => ({
  async read(accountId, key, notBefore) {
    const row = await db.one(read, { accountId, key, notBefore })
    return row && { ...row, etag: row.etag ?? undefined }
  },
  async put(accountId, key, { fingerprint, status, etag, json }, at) {
    await db.run(put, { accountId, key, fingerprint, status, etag: etag ?? null, json, at })
  },
  prune: async (before, limit) => db.run(prune, { before, limit }),
})
