// Decision: docs/decisions/delivery.md#a-publication-waits-for-no-webhook

import { theRow } from "../rows.ts"
import {
  forUpdate,
  forUpdateUnlessLocked,
  fragment,
  inDialect,
  type None,
  type SqlConnection,
  sql,
  word,
} from "../statement.ts"
import { updateDue } from "./due.ts"

/** Maximum deliveries of one publication, to bound its statements, unless a single event has more. */
const deliveriesPerBatchMax = 2000
/** Webhooks that are woken in one publication after another transaction had locked them. */
const postponedAtOnce = 100
/** PostgreSQL ends a publication that says nothing for so long, because all others wait for it. */
const silenceMsMax = word("2000")

/** Publishes up to `limit` events and returns their number. Wakes the webhooks that earlier publications could not lock. */
export async function publishEvents(db: SqlConnection, at: number, limit: number): Promise<number> {
  const { event, webhook } = await theRow(db, pending, {})
  const count = event === null ? 0 : await publishPending(db, at, limit)
  if (webhook !== null) await wakePostponed(db)
  return count
}

async function publishPending(db: SqlConnection, at: number, limit: number): Promise<number> {
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
  const postponed = await db.run(lockOrPostpone, { last })
  await db.run(unblockFirst, { last })
  if ((await db.run(wakeWebhooks, { at, last })) + postponed > 0) db.noteChange("delivery-due")
  return count
}

async function wakePostponed(db: SqlConnection): Promise<void> {
  for (const { id } of await db.all(lockPostponed, { limit: postponedAtOnce })) {
    const firsts = (await db.all(takePostponed, { id })).map(({ first }) => first)
    await db.run(unblockPostponed, { id, first: Math.min(...firsts) })
    await updateDue(db, id)
    db.noteChange("delivery-due")
  }
}

const unpublished = inDialect<None>({
  sqlite: fragment`position > (SELECT last FROM counters WHERE name = 'events')`,
  postgres: fragment`position IS NULL`,
})

/** What a publication has to do: an event that is not published, a webhook that was locked when one was. */
const pending = sql<None, { event: number | null; webhook: number | null }>`
  SELECT (SELECT id FROM events WHERE ${unpublished} LIMIT 1) AS "event",
         (SELECT webhook_id FROM webhooks_to_wake LIMIT 1) AS "webhook"`

const endsWhenSilent = inDialect<None>({
  sqlite: fragment``,
  postgres: fragment`, set_config('idle_in_transaction_session_timeout', '${silenceMsMax}', true) AS silence`,
})

const lastPublished = sql<None, { last: number }>`
  SELECT last${endsWhenSilent} FROM counters WHERE name = 'events' ${forUpdate}`

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

/** Locks the webhooks of the new deliveries. Those that another transaction has locked are woken by a later publication. */
const lockOrPostpone = sql<{ last: number }>`
  WITH concerned AS (
    SELECT webhook_id, min(position) AS first FROM events CROSS JOIN deliveries
    WHERE position > ${"last"} AND event_id = events.id GROUP BY webhook_id
  ), unlocked AS (SELECT id FROM webhooks WHERE id IN (SELECT webhook_id FROM concerned) ${forUpdateUnlessLocked})
  INSERT INTO webhooks_to_wake (webhook_id, first_position)
  SELECT webhook_id, first FROM concerned WHERE webhook_id NOT IN (SELECT id FROM unlocked)`

const isFirstOfPet = fragment<None>`blocked = 1 AND NOT EXISTS (
    SELECT 1 FROM deliveries AS earlier
    WHERE earlier.webhook_id = deliveries.webhook_id AND earlier.pet_id = deliveries.pet_id
      AND earlier.state = 'pending' AND earlier.id < deliveries.id)`

const unblockFirst = sql<{ last: number }>`
  UPDATE deliveries SET blocked = 0
  WHERE event_id IN (SELECT id FROM events WHERE position > ${"last"})
    AND webhook_id NOT IN (SELECT webhook_id FROM webhooks_to_wake) AND ${isFirstOfPet}`

const wakeWebhooks = sql<{ at: number; last: number }>`
  UPDATE webhooks SET due_at = ${"at"}
  WHERE status = 'active' AND deleted_at IS NULL AND (due_at IS NULL OR due_at > ${"at"}) AND id IN (
    SELECT webhook_id FROM events CROSS JOIN deliveries
    WHERE position > ${"last"} AND event_id = events.id AND blocked = 0)
    AND id NOT IN (SELECT webhook_id FROM webhooks_to_wake)`

const lockPostponed = sql<{ limit: number }, { id: number }>`
  SELECT id FROM webhooks WHERE id IN (SELECT webhook_id FROM webhooks_to_wake)
  LIMIT ${"limit"} ${forUpdateUnlessLocked}`

const takePostponed = sql<{ id: number }, { first: number }>`
  DELETE FROM webhooks_to_wake WHERE webhook_id = ${"id"} RETURNING first_position AS "first"`

const unblockPostponed = sql<{ id: number; first: number }>`
  UPDATE deliveries SET blocked = 0
  WHERE webhook_id = ${"id"} AND event_id IN (SELECT id FROM events WHERE position >= ${"first"}) AND ${isFirstOfPet}`
