import { DatabaseSync } from "node:sqlite"
import { etagOf } from "../../src/core/sql/hashes/hash-of.ts"

/** Rows like those of the sandbox for the numbers 1 to `count`, as complete as rows created by operations. */
const contents: Record<string, string> = {
  "pets (id, status, category_id, name_key, json, etag)": `
    SELECT id, 'available', category_id, key, text, etag_of(text) FROM (
      SELECT 1000 + i AS id, category_id, 'many ' || i AS key, json_set(json, '$.id', 1000 + i, '$.name', 'Many ' || i) AS text
      FROM numbers JOIN pets ON pets.id = 1
    )`,
  "orders (id, pet_id, account_id, user_id, waiting_since, status, json)": `
    SELECT 1000 + i, 1000 + i, account_id, user_id, waiting_since, status,
           json_set(json, '$.id', 1000 + i, '$.petId', 1000 + i)
    FROM numbers JOIN orders ON orders.id = 1`,
  "users (id, account_id, name, json, password_hash)": `
    SELECT 1000 + i, account_id, 'many-' || i, json_set(json, '$.id', 1000 + i, '$.username', 'many-' || i), password_hash
    FROM numbers JOIN users ON users.id = 1`,
  "events (id, kind, json, created_at, account_id, position, pet_id)": `
    SELECT 1000 + i, 'pet.created',
           json_object('event', 'pet.created', 'data', json_object('id', 1000 + i, 'name', 'Many ' || i, 'status', 'available'),
             'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
           unixepoch('now') * 1000, NULL, 1000 + i, 1000 + i
    FROM numbers`,
  "audit (id, at, action, principal, account, thing, json, hash)": `
    SELECT 1000 + i, 1, 'key.created', 'key:1', 1, 'key:' || i,
           json_object('id', 1000 + i, 'time', '2026-01-01T00:00:00.000Z', 'action', 'key.created', 'result', 'done', 'principal',
             'key:1', 'account', 1, 'thing', 'key:' || i, 'previous', ''), ''
    FROM numbers`,
}

/** Adds `count` pets, orders, users, events and audit entries to the database of a running service. */
export function addMany(databaseFile: string, count: number): void {
  using db = new DatabaseSync(databaseFile, { timeout: 10_000 })
  db.function("etag_of", (text) => etagOf(String(text)))
  db.exec(`
    BEGIN IMMEDIATE;
    CREATE TEMP TABLE numbers (i INTEGER PRIMARY KEY);
    WITH RECURSIVE counted (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE i < ${count})
    INSERT INTO numbers SELECT i FROM counted;
  `)
  for (const [table, select] of Object.entries(contents)) db.exec(`INSERT INTO ${table} ${select}`)
  db.exec(`
    UPDATE counters SET last = ${1000 + count} WHERE name = 'events';
    UPDATE audit_head SET last = ${1000 + count};
    COMMIT
  `)
}
