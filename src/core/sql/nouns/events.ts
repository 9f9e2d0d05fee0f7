import { hash } from "node:crypto"
import { eventIdAt, eventIdOf } from "../../domain/events/rules.ts"
import type { Event, EventStore } from "../../domain/events/store.ts"
import type { Json } from "../../kernel/json/json.ts"
import { inBothDirections } from "../direction.ts"
import { theRow } from "../rows.ts"
import { type None, type SqlConnection, sql } from "../statement.ts"
import { addEvents, newest } from "./add-events.ts"
import { publishEvents } from "./publication.ts"

type PlacedRow = { position: number; json: Json<Event> }

const after = sql<{ after: number; limit: number }, { id: number; position: number | null; json: Json<Event> }>`
  SELECT id, position, json FROM events WHERE id > ${"after"} ORDER BY id LIMIT ${"limit"}`

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

  publish: (at, limit) => publishEvents(db, at, limit),

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

const toPublished = ({ position, json }: PlacedRow) => ({ id: publicId(position, json), json })

/** An event's public id. A hash of the event makes it differ between databases. */
export const publicId = (position: number, json: string): string =>
  eventIdOf(position, hash("sha256", json).slice(0, 12))
