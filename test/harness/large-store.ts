import { DatabaseSync } from "node:sqlite"
import { openSqlite } from "../../src/core/sqlite/open.ts"

/** Number of rows in the largest tables; ids and times count from 1 to this number. */
export const rows = 40_000

/** Number of rows for resources of which an account has few. */
const few = 100

/**
 * Rows of each table, as SELECTs over the numbers 1 to `rows`. Rows that queries look for are rare and old; rows that they must
 * skip are common and new: the hardest case for each query.
 */
const contents: Record<string, string> = {
  "accounts (id, name, plan)": `SELECT i, 'a' || i, 'free' FROM numbers WHERE i <= 5000`,
  "tags (id, name)": `SELECT i, 'tag' || i FROM numbers WHERE i <= ${rows / 10}`,
  "categories (id, name)": `SELECT i, 'category' || i FROM numbers WHERE i <= ${rows / 10}`,
  "pets (id, status, category_id, name_key, json, etag)": `
    SELECT i, CASE WHEN i <= 50 THEN 'sold' WHEN i % 2 = 0 THEN 'pending' ELSE 'available' END, 1, 'n' || i, '{}', '""' FROM numbers`,
  "pet_tags (tag_id, status, pet_id)": `
    SELECT tag_id, status, id FROM pets JOIN (SELECT 1 AS tag_id UNION ALL SELECT 2 UNION ALL SELECT 3)
    WHERE tag_id = 1 OR (tag_id = 2 AND id <= 50) OR (tag_id = 3 AND id % 2 = 0)`,
  "orders (id, pet_id, account_id, user_id, waiting_since, status, json)": `
    SELECT i, CASE WHEN i % 2 = 1 THEN 1 ELSE i END, CASE WHEN i <= 20 THEN 1 ELSE 2 END, 1,
           CASE WHEN i % 4 = 0 THEN i END,
           CASE WHEN i % 2 = 1 THEN 'delivered' WHEN i % 4 = 0 THEN 'placed' ELSE 'approved' END, '{}' FROM numbers`,
  "users (id, account_id, name, json, password_hash)": `
    SELECT i, 2, CASE WHEN i <= 50 THEN 'u' || i END, CASE WHEN i <= 50 THEN '{}' END, CASE WHEN i <= 50 THEN '' END
    FROM numbers WHERE i <= ${rows / 4}`,
  "sessions (user_id, hash, expires_at)": `
    SELECT CASE WHEN i <= 20 THEN 1 ELSE i END, 'h' || i, i FROM numbers WHERE i <= ${rows / 4}`,
  "keys (id, account_id, name, scopes, hash, revoked_at)": `
    SELECT i, 1, 'k', 'admin', 'h' || i, CASE WHEN i > ${few} THEN i END FROM numbers WHERE i <= ${rows / 4}`,
  "idempotency (account_id, key, fingerprint, status, json, created_at)": `
    SELECT 1, 'k' || i, '', 200, '{}', i FROM numbers WHERE i <= ${rows / 4}`,
  "limit_cells (account_id, minute, count, offsets)": `
    SELECT 1 + (i - 1) / 1441, i % 1441, 1, '[]' FROM numbers`,
  "oauth_clients (id, account_id, client_id, name, type, redirect_uris, scopes, created_at)": `
    SELECT i, 1 + i / ${few}, 'c' || i, '', '', '[]', '', '' FROM numbers WHERE i <= ${rows / 10}`,
  "oauth_records (kind, hash, uid, grant_id, client_id, user_id, scope, json, expires_at)": `
    SELECT CASE WHEN i = ${rows / 4} THEN 'Grant' ELSE 'AccessToken' END, 'h' || i, 'uid' || i, 'g1', 'c1', 1, '', '{}', i
    FROM numbers WHERE i <= ${rows / 4}`,
  "signing_keys (kid, sealed, created_at)": `SELECT 'kid' || i, '', i FROM numbers WHERE i <= 5`,
  "events (id, kind, json, created_at, account_id, position, pet_id)": `
    SELECT i, CASE WHEN i % 2 = 1 THEN 'pet.created' ELSE 'order.placed' END, '{}', i,
           CASE WHEN i % 2 = 0 THEN CASE WHEN i <= 20 THEN 1 ELSE 2 END END, i, 1
    FROM numbers`,
  // Webhook 1 has no pending deliveries, 2 is paused, 3 is ordered, 4 has failed deliveries; many of account 1 are deleted.
  "webhooks (id, account_id, url, ordered, status, created_at, deleted_at, lane, due_at)": `
    SELECT i, CASE WHEN i <= ${few} OR i > 4000 THEN 1 ELSE i END, '', CASE WHEN i = 3 THEN 1 ELSE 0 END,
           CASE WHEN i = 2 THEN 'paused' ELSE 'active' END, i, CASE WHEN i > 4000 THEN i END, 'new',
           CASE WHEN i <= 4000 THEN i END
    FROM numbers WHERE i <= 5000`,
  "webhook_events (webhook_id, kind)": `
    SELECT i, CASE WHEN i <= 4 THEN '*' ELSE 'order.placed' END FROM numbers WHERE i <= 4000`,
  "webhook_secrets (webhook_id, sealed, retired_at)": `
    SELECT i, '', NULL FROM numbers WHERE i <= 4000 UNION ALL SELECT i, '', i FROM numbers WHERE i <= 4000`,
  "deliveries (id, webhook_id, event_id, pet_id, blocked, is_test, state, step, attempts, due_at, claims, created_at, last_attempt_id)": `
    SELECT i, CASE WHEN i <= ${rows / 4} THEN 1 WHEN i <= ${rows * 0.35} THEN 2 WHEN i <= ${rows * 0.45} THEN 3 WHEN i <= ${rows * 0.495} THEN 4 ELSE i - ${rows * 0.495 - 4000} END,
           i, CASE WHEN i > ${rows * 0.35} AND i <= ${rows * 0.45} THEN 1 END, CASE WHEN i > ${rows * 0.35 + 1} AND i <= ${rows * 0.45} THEN 1 ELSE 0 END, 0,
           CASE WHEN i <= 20 THEN 'failed' WHEN i <= ${rows / 4} THEN 'delivered' WHEN i <= ${rows * 0.45} THEN 'pending' ELSE 'failed' END,
           0, 1, i, 0, i, i
    FROM numbers WHERE i <= ${rows / 2}`,
  "delivery_attempts (delivery_id, at, duration_ms)": `
    SELECT CASE WHEN i <= 10 THEN 1 ELSE i END, i, 1 FROM numbers WHERE i <= ${rows / 4}`,
  "images (sha256, blob, account_id, bytes, json, unreferenced_at)": `
    SELECT 's' || i, 'b' || i, 1, 1, '{}', CASE WHEN i % 3 = 0 THEN 0 WHEN i % 3 = 1 THEN i END FROM numbers WHERE i <= ${rows / 4}`,
  "sent_label_ids (pet_id, json)": `SELECT i, '{"tags":[]}' FROM numbers WHERE i <= ${rows}`,
  "pet_images (pet_id, sha256)": `SELECT i, 's' || i FROM numbers WHERE i <= ${rows / 4} AND i % 3 = 2`,
  "audit (id, at, action, principal, account, thing, json, hash)": `
    SELECT i, i, CASE WHEN i <= 20 THEN 'key.revoked' ELSE 'key.created' END, CASE WHEN i <= 20 THEN 'key:1' ELSE 'key:2' END,
           CASE WHEN i <= 20 THEN 1 ELSE 2 END, 'key:' || i, '{}', '' FROM numbers`,
  "image_bytes (account_id, bytes)": `SELECT i, 1 FROM numbers WHERE i <= 5000`,
}

/** Creates and fills a database in this file within seconds. */
export async function largeDatabase(file: string): Promise<DatabaseSync> {
  await openSqlite(file).close()
  const db = new DatabaseSync(file)
  db.exec(
    "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -262144",
  )
  db.exec(`
    BEGIN;
    CREATE TEMP TABLE numbers (i INTEGER PRIMARY KEY);
    WITH RECURSIVE counted (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE i < ${rows})
    INSERT INTO numbers SELECT i FROM counted;
  `)
  for (const [table, select] of Object.entries(contents)) db.exec(`INSERT INTO ${table} ${select}`)
  db.exec(
    `UPDATE counters SET last = ${rows} - CASE name WHEN 'events' THEN 50 ELSE 0 END; COMMIT; PRAGMA foreign_keys = ON`,
  )
  return db
}
