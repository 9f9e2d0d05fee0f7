import { hash } from "node:crypto"
import { eventKinds } from "../../domain/events/contract.ts"
import { eventIdOf } from "../../domain/events/rules.ts"
import type { Event, EventStore } from "../../domain/events/store.ts"
import { timestamp } from "../../kernel/clock.ts"
import { type Json, json } from "../../kernel/json.ts"
import { type Connection, forUpdate, sql } from "./statement.ts"

const add = sql<
  { kind: string; json: string; at: number; accountId: number | null; petId: number | null },
  { id: number }
>`
  INSERT INTO events (kind, json, created_at, account_id, pet_id)
  VALUES (${"kind"}, ${"json"}, ${"at"}, ${"accountId"}, ${"petId"}) RETURNING id`

const after = sql<{ after: number; limit: number }, { id: number; json: Json<Event> }>`
  SELECT id, json FROM events WHERE id > ${"after"} ORDER BY id LIMIT ${"limit"}`

const lastPlace = sql<Record<never, never>, { last: number }>`
  SELECT last FROM counters WHERE name = 'events' ${forUpdate}`

const anyUnpublished = sql<Record<never, never>, { id: number }>`
  SELECT id FROM events WHERE position IS NULL LIMIT 1`

const giveLast = sql<{ last: number }>`
  UPDATE counters SET last = ${"last"} WHERE name = 'events'`

const place = sql<{ last: number; limit: number }>`
  UPDATE events SET position = fresh.n + ${"last"}
  FROM (
    SELECT id, row_number() OVER (ORDER BY id) AS n FROM events WHERE position IS NULL ORDER BY id LIMIT ${"limit"}
  ) AS fresh
  WHERE events.id = fresh.id`

const fanOut = sql<{ at: number; last: number }>`
  INSERT INTO deliveries
    (webhook_id, event_id, pet_id, is_test, state, step, attempts, due_at, claims, created_at)
  SELECT webhooks.id, events.id, CASE WHEN ordered = 1 THEN pet_id END, 0, 'pending', 0, 0, ${"at"}, 0,
         events.created_at
  FROM events
  JOIN webhook_events ON webhook_events.kind = events.kind OR webhook_events.kind = '*'
  JOIN webhooks ON webhooks.id = webhook_events.webhook_id
  WHERE position > ${"last"} AND events.kind <> 'webhook.test' AND deleted_at IS NULL
    AND (events.account_id IS NULL OR events.account_id = webhooks.account_id)
  ORDER BY position, webhooks.id`

const feed = sql<{ after: number; accountId: number; limit: number }, { position: number; json: Json<Event> }>`
  SELECT position, json FROM events
  WHERE position > ${"after"} AND (account_id IS NULL OR account_id = ${"accountId"})
  ORDER BY position LIMIT ${"limit"}`

const prune = sql<{ before: number; limit: number }>`
  DELETE FROM events WHERE id IN (
    SELECT id FROM events
    WHERE created_at < ${"before"} AND position IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = events.id)
    LIMIT ${"limit"}
  )`

export const eventStore = (db: Connection): EventStore => ({
  async add(kind, data, at, accountId) {
    const row = await db.one(add, {
      kind,
      json: json({ event: kind, data, timestamp: timestamp(at) }),
      at,
      accountId: accountId ?? null,
      petId: petOf(kind, data),
    })
    return (row as { id: number }).id
  },

  after: (id, limit) => db.all(after, { after: id, limit }),

  async publish(at, limit) {
    if ((await db.one(anyUnpublished, {})) === undefined) return 0
    const { last } = (await db.one(lastPlace, {})) as { last: number }
    const count = await db.run(place, { last, limit })
    if (count === 0) return 0
    await db.run(giveLast, { last: last + count })
    await db.run(fanOut, { at, last })
    return count
  },

  async feed(after, accountId, limit) {
    const rows = await db.all(feed, { after, accountId, limit })
    return rows.map(({ position, json }) => ({ id: publicId(position, json), json }))
  },

  prune: (before, limit) => db.run(prune, { before, limit }),
})

/** An event's id: what happened is part of it, so that no other database gives another event the same. */
export const publicId = (position: number, json: string): string =>
  eventIdOf(position, hash("sha256", json).slice(0, 12))

function petOf(kind: keyof typeof eventKinds, data: object): number | null {
  const { pet } = eventKinds[kind] as { pet?: string }
  return pet === undefined ? null : ((data as Record<string, number>)[pet] ?? null)
}
