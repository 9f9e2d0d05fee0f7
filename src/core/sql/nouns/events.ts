import { hash } from "node:crypto"
import { eventIdAt, eventIdOf } from "../../domain/events/rules.ts"
import type { Event, EventStore } from "../../domain/events/store.ts"
import type { Json } from "../../kernel/json/json.ts"
import { inBothDirections } from "../direction.ts"
import { theRow } from "../rows.ts"
import { forUpdate, fragment, inDialect, type None, type SqlConnection, sql } from "../statement.ts"
import { addEvents, newest } from "./add-events.ts"

type PlacedRow = { position: number; json: Json<Event> }

const after = sql<{ after: number; limit: number }, { id: number; position: number | null; json: Json<Event> }>`
  SELECT id, position, json FROM events WHERE id > ${"after"} ORDER BY id LIMIT ${"limit"}`

const unpublished = inDialect<None>({
  sqlite: fragment`position > (SELECT last FROM counters WHERE name = 'events')`,
  postgres: fragment`position IS NULL`,
})

const anyUnpublished = sql<None, { id: number }>`SELECT id FROM events WHERE ${unpublished} LIMIT 1`

const lastPublished = sql<None, { last: number }>`SELECT last FROM counters WHERE name = 'events' ${forUpdate}`

const setLastPublished = sql<{ last: number }>`UPDATE counters SET last = ${"last"} WHERE name = 'events'`

/** Yields the next events to publish, in order; assigns positions where they have no position yet. */
const assignPositions = sql<{ last: number; limit: number }, { position: number }>`${inDialect<{
  last: number
  limit: number
}>({
  sqlite: fragment`SELECT position FROM events WHERE position > ${"last"} ORDER BY position LIMIT ${"limit"}`,
  postgres: fragment`
    UPDATE events SET position = fresh.n + ${"last"}
    FROM (
      SELECT id, row_number() OVER (ORDER BY id) AS n FROM events WHERE position IS NULL ORDER BY id LIMIT ${"limit"}
    ) AS fresh
    WHERE events.id = fresh.id RETURNING position`,
})}`

const countSelections = sql<{ limit: number }, { count: number }>`
  SELECT count(*) AS "count" FROM (SELECT 1 FROM webhook_events LIMIT ${"limit"}) AS selected`

/** The webhook of a `delivery.failed`, which does not receive it. */
const failingWebhook = inDialect<None>({
  sqlite: fragment`json_extract(events.json, '$.data.webhookId')`,
  postgres: fragment`CAST(CAST(events.json AS json) -> 'data' ->> 'webhookId' AS bigint)`,
})

// CROSS JOIN fixes the order in which the tables are read: few events first.
const fanOut = sql<{ at: number; last: number; upTo: number }>`
  INSERT INTO deliveries
    (webhook_id, event_id, pet_id, blocked, is_test, state, step, attempts, due_at, claims, created_at)
  SELECT webhook_id, event_id, pet_id, CASE WHEN pet_id IS NULL THEN 0 ELSE 1 END, 0, 'pending', 0, 0, ${"at"}, 0,
         created_at
  FROM (
    SELECT position, webhooks.id AS webhook_id, events.id AS event_id, events.created_at AS created_at,
           CASE WHEN ordered = 1 THEN pet_id END AS pet_id
    FROM events CROSS JOIN webhook_events CROSS JOIN webhooks
    WHERE position > ${"last"} AND position <= ${"upTo"}
      AND events.kind <> 'webhook.test' AND events.account_id IS NULL
      AND webhook_events.kind IN (events.kind, '*') AND webhooks.id = webhook_id AND deleted_at IS NULL
    UNION ALL
    SELECT position, webhooks.id, events.id, events.created_at, CASE WHEN ordered = 1 THEN pet_id END
    FROM events CROSS JOIN webhooks CROSS JOIN webhook_events
    WHERE position > ${"last"} AND position <= ${"upTo"} AND events.kind <> 'webhook.test'
      AND webhooks.account_id = events.account_id AND deleted_at IS NULL
      AND (events.kind <> 'delivery.failed' OR webhooks.id <> ${failingWebhook})
      AND webhook_id = webhooks.id AND webhook_events.kind IN (events.kind, '*')
  ) AS fresh
  ORDER BY position, webhook_id`

const lockConcerned = sql<{ last: number }, { id: number }>`
  SELECT id FROM webhooks WHERE id IN (
    SELECT webhook_id FROM events CROSS JOIN deliveries WHERE position > ${"last"} AND event_id = events.id)
  ORDER BY id ${forUpdate}`

const unblockFirst = sql<{ last: number }>`
  UPDATE deliveries SET blocked = 0
  WHERE blocked = 1 AND event_id IN (SELECT id FROM events WHERE position > ${"last"}) AND NOT EXISTS (
    SELECT 1 FROM deliveries AS earlier
    WHERE earlier.webhook_id = deliveries.webhook_id AND earlier.pet_id = deliveries.pet_id
      AND earlier.state = 'pending' AND earlier.id < deliveries.id)`

const wakeWebhooks = sql<{ at: number; last: number }>`
  UPDATE webhooks SET due_at = ${"at"}
  WHERE status = 'active' AND deleted_at IS NULL AND (due_at IS NULL OR due_at > ${"at"}) AND id IN (
    SELECT webhook_id FROM events CROSS JOIN deliveries
    WHERE position > ${"last"} AND event_id = events.id AND blocked = 0)`

const feed = inBothDirections(
  ({ beyond, order }) => sql<{ after: number; accountId: number; limit: number }, PlacedRow>`
  SELECT position, json FROM (
    SELECT * FROM (
      SELECT position, json FROM events
      WHERE account_id IS NULL AND position ${beyond} ${"after"} ORDER BY position ${order} LIMIT ${"limit"}
    ) AS public_events
    UNION ALL
    SELECT * FROM (
      SELECT position, json FROM events
      WHERE account_id = ${"accountId"} AND position ${beyond} ${"after"} ORDER BY position ${order} LIMIT ${"limit"}
    ) AS own
  ) AS merged
  ORDER BY position ${order} LIMIT ${"limit"}`,
)

const published = sql<{ after: number; limit: number }, PlacedRow & { accountId: number | null; at: number }>`
  SELECT position, json, account_id AS "accountId", created_at AS "at" FROM events
  WHERE position > ${"after"} ORDER BY position LIMIT ${"limit"}`

type PositionRow = { last: number; first: number | null; removed: number; json: Json<Event> | null; at: number | null }

const positionAt = sql<{ position: number }, PositionRow>`
  SELECT ${newest} AS "last",
    (SELECT min(position) FROM events WHERE position IS NOT NULL) AS "first",
    (SELECT last FROM counters WHERE name = 'events-removed') AS "removed",
    json AS "json", created_at AS "at"
  FROM (SELECT 1 AS one) AS feed LEFT JOIN events ON position = ${"position"}`

const lastPosition = sql<None, { last: number }>`SELECT ${newest} AS "last"`

// Positions of events from about the same time may be in another order.
const firstSince = sql<{ since: number; limit: number }, { position: number | null }>`
  SELECT min(position) AS "position" FROM (
    SELECT position FROM events
    WHERE created_at >= ${"since"} AND position IS NOT NULL ORDER BY created_at LIMIT ${"limit"}
  ) AS earliest`

const prune = sql<{ before: number; limit: number }, { position: number }>`
  DELETE FROM events WHERE id IN (
    SELECT id FROM events WHERE created_at < ${"before"} AND position <= (SELECT last FROM counters WHERE name = 'events')
    ORDER BY created_at LIMIT ${"limit"}
  )
  AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = events.id)
  RETURNING position`

// An event with a delivery stays longer than its successors, so that the first event kept does not tell which were removed.
const setRemoved = sql<{ last: number }>`
  UPDATE counters SET last = ${"last"} WHERE name = 'events-removed' AND last < ${"last"}`

export const eventStore = (db: SqlConnection): EventStore => ({
  async add(kind, data, at, accountId) {
    const [id] = await addEvents(db, [{ kind, data, at, accountId }])
    return id as number
  },
  addAll: (events) => addEvents(db, events),

  async after(id, limit) {
    const rows = await db.all(after, { after: id, limit })
    return rows.map(({ id, position, json }) => ({
      id,
      publicId: position === null ? undefined : publicId(position, json),
      json,
    }))
  },

  async publish(at, limit) {
    if ((await db.one(anyUnpublished, {})) === undefined) return 0
    const { last } = await theRow(db, lastPublished, {})
    const selections = (await theRow(db, countSelections, { limit: deliveriesPerBatchMax })).count
    // Without selections, this divides by zero: infinity.
    const eventsMax = Math.min(limit, Math.ceil(deliveriesPerBatchMax / selections))
    const count = (await db.all(assignPositions, { last, limit: eventsMax })).length
    if (count === 0) return 0
    await db.run(setLastPublished, { last: last + count })
    if (selections === 0) return count
    await db.run(fanOut, { at, last, upTo: last + count })
    // Concurrent changes of a webhook or its deliveries see the new deliveries, or are visible to the next
    // statements.
    await db.all(lockConcerned, { last })
    await db.run(unblockFirst, { last })
    if ((await db.run(wakeWebhooks, { at, last })) > 0) db.noteChange("delivery-due")
    return count
  },

  feed: async (after, accountId, limit) => (await db.all(feed.ascending, { after, accountId, limit })).map(toPublished),
  feedBefore: async (after, accountId, limit) =>
    (await db.all(feed.descending, { after, accountId, limit })).map(toPublished),

  async published(after, limit) {
    const rows = await db.all(published, { after, limit })
    return rows.map((row) => ({
      ...toPublished(row),
      accountId: row.accountId ?? undefined,
      positionId: eventIdAt(row.position, row.at),
    }))
  },

  async at(position) {
    const { last, first, removed, json, at } = await theRow(db, positionAt, { position })
    return {
      position,
      id: eventIdAt(position, at ?? undefined),
      event: json === null ? undefined : publicId(position, json),
      last,
      removed: Math.max(removed, first === null ? last : first - 1),
    }
  },

  lastPosition: async () => (await theRow(db, lastPosition, {})).last,

  async positionBefore(at) {
    const first = await db.one(firstSince, { since: at, limit: sameTimeMax })
    return first?.position ? first.position - 1 : this.lastPosition()
  },

  async prune(before, limit) {
    const removed = await db.all(prune, { before, limit })
    if (removed.length > 0) await db.run(setRemoved, { last: Math.max(...removed.map(({ position }) => position)) })
    return removed.length
  },
})

/** The first position is searched in so many events from about the same time. */
const sameTimeMax = 200

/** Maximum deliveries of one publication, to bound its statements, unless a single event has more. */
const deliveriesPerBatchMax = 2000

const toPublished = ({ position, json }: PlacedRow) => ({ id: publicId(position, json), json })

/** An event's public id. A hash of the event makes it differ between databases. */
export const publicId = (position: number, json: string): string =>
  eventIdOf(position, hash("sha256", json).slice(0, 12))
