import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import type { PetFilter } from "../../src/core/domain/pets/store.ts"
import * as boundedQuestions from "../../src/core/sql/migrations/0015-bounded-questions.ts"
import * as cheaperChanges from "../../src/core/sql/migrations/0016-cheaper-changes.ts"
import * as lists from "../../src/core/sql/migrations/0017-lists.ts"
import { migrations } from "../../src/core/sql/migrations.ts"
import { sqliteDialect } from "../../src/core/sqlite/dialect.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { temporaryDirectory } from "../harness/directory.ts"

/** A database before this migration, with the rows that `fill` adds. */
function databaseBefore(file: string, migration: (typeof migrations)[number], fill: string): void {
  using db = new DatabaseSync(file)
  const version = migrations.indexOf(migration)
  for (const up of migrations.slice(0, version)) for (const statement of up(sqliteDialect)) db.exec(statement)
  db.exec(`${fill}; PRAGMA user_version = ${version}`)
}

test("deliveries that waited before an upgrade are delivered after it, in order", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "old.db")
  const delivery = (id: number, webhook: number, pet: string, state: string, claimed = "NULL") =>
    `(${id}, ${webhook}, ${id}, ${pet}, 0, '${state}', 0, 0, ${id}, 0, ${claimed}, ${id})`
  databaseBefore(
    file,
    boundedQuestions.up,
    `
    INSERT INTO accounts (id, name, plan) VALUES (1, 'a', 'free');
    INSERT INTO webhooks (id, account_id, url, ordered, status, failing_since, created_at, deleted_at) VALUES
      (1, 1, 'https://a.example/', 1, 'active', NULL, 0, NULL), (2, 1, 'https://b.example/', 0, 'active', 5, 0, NULL),
      (3, 1, 'https://c.example/', 0, 'paused', NULL, 0, NULL), (4, 1, 'https://d.example/', 0, 'active', NULL, 0, 9);
    INSERT INTO webhook_events (webhook_id, kind) VALUES (1, '*'), (4, '*');
    INSERT INTO events (id, kind, json, created_at, position)
      VALUES (1, 'pet.updated', '{}', 1, 1), (2, 'pet.updated', '{}', 2, 2), (3, 'pet.updated', '{}', 3, 3),
             (4, 'pet.updated', '{}', 4, 4), (5, 'pet.updated', '{}', 5, 5), (6, 'pet.updated', '{}', 6, 6);
    INSERT INTO deliveries (id, webhook_id, event_id, pet_id, is_test, state, step, attempts, due_at, claims, claimed_at, created_at)
      VALUES ${[
        delivery(1, 1, "1", "delivered"),
        delivery(2, 1, "1", "pending"),
        delivery(3, 1, "1", "pending"),
        delivery(4, 2, "NULL", "pending", "4"),
        delivery(5, 3, "NULL", "pending"),
        delivery(6, 4, "NULL", "pending"),
      ].join(", ")};
    INSERT INTO images (sha256, blob, account_id, bytes, json) VALUES ('a', 'a', 1, 10, '{}'), ('b', 'b', 1, 20, '{}')`,
  )
  const store = openSqlite(file)
  const claimed = async (id: number) =>
    (await store.transaction((tx) => tx.deliveries.claim(id, 10, 100, 200))).map(({ deliveryId }) => deliveryId)
  const due = async (lane: "new" | "slow") =>
    (await store.deliveries.due(lane, 100, 10)).map(({ webhookId }) => webhookId).toSorted()

  assert.deepEqual(await due("slow"), [2])
  assert.deepEqual([await claimed(1), await claimed(2), await claimed(3), await claimed(4)], [[2], [4], [], []])
  assert.deepEqual({ new: await due("new"), slow: await due("slow") }, { new: [], slow: [] })
  assert.equal(await store.images.bytesOf(1), 30)
  await store.close()
})

test("pets are found by their tags from before an upgrade", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "old.db")
  databaseBefore(
    file,
    cheaperChanges.up,
    `INSERT INTO tags (id, name) VALUES (1, 'shy'), (2, 'loud');
     INSERT INTO pets (id, status, json, etag) VALUES
       (1, 'sold', '{"id":1,"tags":[{"id":2,"name":"loud"},{"id":1,"name":"shy"}],"status":"sold"}', 'e'),
       (2, 'sold', '{"id":2,"tags":[{"id":1,"name":"shy"}],"status":"sold"}', 'e');
     INSERT INTO pet_tags (tag_id, pet_id) VALUES (2, 1), (1, 2), (1, 1)`,
  )
  const store = openSqlite(file)
  const tagged = async (...tags: string[]) => {
    const { json } = await store.pets.byTags(tags, { limit: 10, before: undefined })
    return (JSON.parse(json) as { id: number }[]).map(({ id }) => id)
  }
  assert.deepEqual({ shy: await tagged("shy"), loud: await tagged("loud") }, { shy: [2, 1], loud: [1] })
  await store.transaction((tx) => tx.pets.remove(1))
  assert.deepEqual({ shy: await tagged("shy"), loud: await tagged("loud") }, { shy: [2], loud: [] })
  await store.close()
})

test("pets are listed by their names, categories and tags from before an upgrade", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "old.db")
  databaseBefore(
    file,
    lists.up,
    `INSERT INTO tags (id, name) VALUES (1, 'shy');
     INSERT INTO categories (id, name) VALUES (1, 'owls');
     INSERT INTO pets (id, status, category_id, json, etag) VALUES
       (1, 'sold', 1, '{"id":1,"name":"ŻÓŁW"}', 'e'), (2, 'available', 1, '{"id":2,"name":"żaba"}', 'e');
     INSERT INTO pet_tags (tag_id, pet_id) VALUES (1, 1), (1, 2)`,
  )
  const store = openSqlite(file)
  const found = async (filter: Partial<PetFilter>) => {
    const { json } = await store.pets.list(
      { statuses: ["sold", "available"], sort: "id", ...filter },
      { limit: 10, cursor: undefined },
    )
    return (JSON.parse(json) as { id: number }[]).map(({ id }) => id)
  }
  assert.deepEqual(await found({ name: "ż", sort: "name" }), [2, 1])
  assert.deepEqual(await found({ name: "ŻÓ", sort: "name" }), [1])
  assert.deepEqual(
    [await found({ tags: ["shy"] }), await found({ categories: ["owls"] })],
    [
      [1, 2],
      [1, 2],
    ],
  )
  assert.deepEqual(await found({ tags: ["shy"], statuses: ["sold"] }), [1])
  await store.close()
})
