import type { IdempotencyStore } from "../../domain/idempotency/store.ts"
import { type Connection, sql } from "./statement.ts"

type AnswerRow = { fingerprint: string; status: number; etag: string | null; json: string }

const read = sql<{ accountId: number; key: string; notBefore: number }, AnswerRow>`
  SELECT fingerprint, status, etag, json FROM idempotency
  WHERE account_id = ${"accountId"} AND key = ${"key"} AND created_at >= ${"notBefore"}`

// Changes no indexed column: the row is as old as its claim.
const keep = sql<AnswerRow & { accountId: number; key: string }>`
  UPDATE idempotency
  SET fingerprint = ${"fingerprint"}, status = ${"status"}, etag = ${"etag"}, json = ${"json"}
  WHERE account_id = ${"accountId"} AND key = ${"key"}`

// The row is a placeholder until the response is kept; nobody else sees it, and it goes with the transaction.
const claim = sql<{ accountId: number; key: string; at: number; notBefore: number }>`
  INSERT INTO idempotency (account_id, key, fingerprint, status, json, created_at)
  VALUES (${"accountId"}, ${"key"}, '', 0, '', ${"at"})
  ON CONFLICT (account_id, key) DO UPDATE SET created_at = excluded.created_at
  WHERE idempotency.created_at < ${"notBefore"}`

const prune = sql<{ before: number; limit: number }>`
  DELETE FROM idempotency WHERE (account_id, key) IN
    (SELECT account_id, key FROM idempotency WHERE created_at < ${"before"} LIMIT ${"limit"})`

export const idempotencyStore = (db: Connection): IdempotencyStore => ({
  async read(accountId, key, notBefore) {
    const row = await db.one(read, { accountId, key, notBefore })
    return row && { ...row, etag: row.etag ?? undefined }
  },
  claim: async (accountId, key, at, notBefore) => (await db.run(claim, { accountId, key, at, notBefore })) > 0,
  async keep(accountId, key, { fingerprint, status, etag, json }) {
    await db.run(keep, { accountId, key, fingerprint, status, etag: etag ?? null, json })
  },
  prune: async (before, limit) => db.run(prune, { before, limit }),
})
