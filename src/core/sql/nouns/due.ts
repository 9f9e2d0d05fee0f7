import type { Backlog } from "../../domain/webhooks/deliveries/store.ts"
import { forUpdate, forUpdateUnlessLocked, type SqlConnection, sql } from "../statement.ts"

const statusOf = (lock: typeof forUpdate) => sql<{ id: number }, { isActive: number }>`
  SELECT CASE WHEN status = 'active' THEN 1 ELSE 0 END AS "isActive"
  FROM webhooks WHERE id = ${"id"} AND deleted_at IS NULL ${lock}`

const status = statusOf(forUpdate)

const statusUnlessLocked = statusOf(forUpdateUnlessLocked)

const next = sql<{ id: number }, { dueAt: number }>`
  SELECT due_at AS "dueAt" FROM deliveries
  WHERE webhook_id = ${"id"} AND state = 'pending' AND blocked = 0 ORDER BY due_at LIMIT 1`

const nextTest = sql<{ id: number }, { dueAt: number }>`
  SELECT due_at AS "dueAt" FROM deliveries
  WHERE webhook_id = ${"id"} AND state = 'pending' AND is_test = 1 ORDER BY due_at LIMIT 1`

const put = sql<{ id: number; dueAt: number | null }>`UPDATE webhooks SET due_at = ${"dueAt"} WHERE id = ${"id"}`

const unblock = sql<{ webhookId: number; petId: number }>`
  UPDATE deliveries SET blocked = 0
  WHERE id = (
    SELECT id FROM deliveries
    WHERE webhook_id = ${"webhookId"} AND pet_id = ${"petId"} AND state = 'pending' ORDER BY id LIMIT 1)`

const block = sql<{ webhookId: number; petId: number }>`
  UPDATE deliveries SET blocked = 1
  WHERE webhook_id = ${"webhookId"} AND pet_id = ${"petId"} AND state = 'pending' AND blocked = 0`

const lock = sql<{ id: number }, { id: number }>`SELECT id FROM webhooks WHERE id = ${"id"} ${forUpdate}`

/** Until the transaction ends, no other transaction changes the webhook or the order of its deliveries. */
export async function lockWebhook(db: SqlConnection, id: number): Promise<void> {
  await db.one(lock, { id })
}

const waiting = sql<{ at: number; limit: number }, { count: number; oldest: number | null }>`
  SELECT count(*) AS "count", min(due) AS "oldest" FROM (
    SELECT deliveries.due_at AS due FROM webhooks JOIN deliveries ON webhook_id = webhooks.id
    WHERE lane IN ('quick', 'new', 'slow') AND webhooks.due_at <= ${"at"}
      AND state = 'pending' AND blocked = 0 AND deliveries.due_at <= ${"at"}
    LIMIT ${"limit"}) AS waiting`

/** Counts due deliveries, up to `max`, without reading webhooks that have none. */
export async function readBacklog(db: SqlConnection, at: number, max: number): Promise<Backlog> {
  const { count = 0, oldest = null } = (await db.one(waiting, { at, limit: max })) ?? {}
  return { count, oldestDueAt: oldest ?? undefined }
}

/** Whether the webhook receives events; undefined when it is deleted, or locked. Locks it until the transaction ends. */
export const isActiveUnlessLocked = (db: SqlConnection, webhookId: number) =>
  readStatus(db, statusUnlessLocked, webhookId)

async function readStatus(db: SqlConnection, how: typeof status, id: number): Promise<boolean | undefined> {
  const row = await db.one(how, { id })
  return row && row.isActive === 1
}

/** Updates when the webhook's next delivery is due, no earlier than `notBefore` (ms), so that every webhook is served. */
export async function updateDue(db: SqlConnection, webhookId: number, notBefore = 0): Promise<void> {
  const active = await readStatus(db, status, webhookId)
  if (active === undefined) return
  const found = await db.one(active ? next : nextTest, { id: webhookId })
  await db.run(put, { id: webhookId, dueAt: found ? Math.max(found.dueAt, notBefore) : null })
}

/** In an ordered webhook, unblocks the first waiting delivery of a pet. */
export async function unblockFirst(db: SqlConnection, webhookId: number, petId: number | null): Promise<void> {
  if (petId !== null && (await db.run(unblock, { webhookId, petId })) > 0) db.noteChange("delivery-due")
}

/** Restores the order of a pet's deliveries after one became pending again. */
export async function restoreOrder(db: SqlConnection, webhookId: number, petId: number | null): Promise<void> {
  if (petId === null) return
  await db.run(block, { webhookId, petId })
  await db.run(unblock, { webhookId, petId })
}
