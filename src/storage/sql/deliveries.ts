import type { Attempt, Delivery, DeliveryState, Outcome, Standing } from "../../domain/deliveries/contract.ts"
import type { Claim, DeliveryStore, Due } from "../../domain/deliveries/store.ts"
import { timestamp } from "../../kernel/clock.ts"
import { pageOf } from "../../kernel/page.ts"
import { idMax } from "../../kernel/schema.ts"
import { publicId } from "./events.ts"
import { type Connection, elements, sql } from "./statement.ts"

type AttemptRow = { at: number; durationMs: number; status: number | null; error: string | null; answer: string | null }
type DeliveryRow = {
  id: number
  webhookId: number
  position: number
  json: string
  kind: string
  state: string
  attempts: number
  dueAt: number
  createdAt: number
} & Partial<AttemptRow>
type ClaimRow = {
  id: number
  step: number
  claims: number
  isTest: number
  kind: string
  position: number
  json: string
}

const addTest = sql<{ webhookId: number; eventId: number; at: number }, { id: number }>`
  INSERT INTO deliveries (webhook_id, event_id, is_test, state, step, attempts, due_at, claims, created_at)
  VALUES (${"webhookId"}, ${"eventId"}, 1, 'pending', 0, 0, ${"at"}, 0, ${"at"}) RETURNING id`

const due = sql<{ at: number }, { webhookId: number; failingSince: number | null }>`
  SELECT id AS "webhookId", failing_since AS "failingSince" FROM webhooks
  WHERE deleted_at IS NULL AND (
    (status = 'active' AND EXISTS (
      SELECT 1 FROM deliveries WHERE webhook_id = webhooks.id AND state = 'pending' AND due_at <= ${"at"}))
    OR EXISTS (
      SELECT 1 FROM deliveries
      WHERE webhook_id = webhooks.id AND state = 'pending' AND is_test = 1 AND due_at <= ${"at"})
  )`

// In an ordered webhook a delivery waits for those before it that concern the same pet.
const ready = sql<{ webhookId: number; at: number; limit: number }, ClaimRow>`
  SELECT deliveries.id, step, claims, is_test AS "isTest", kind, position, json
  FROM deliveries JOIN events ON events.id = event_id
  WHERE webhook_id = ${"webhookId"} AND state = 'pending' AND due_at <= ${"at"}
    AND (is_test = 1 OR EXISTS (
      SELECT 1 FROM webhooks WHERE webhooks.id = webhook_id AND status = 'active' AND deleted_at IS NULL))
    AND (deliveries.pet_id IS NULL OR NOT EXISTS (
      SELECT 1 FROM deliveries AS earlier
      WHERE earlier.webhook_id = deliveries.webhook_id AND earlier.pet_id = deliveries.pet_id
        AND earlier.state = 'pending' AND earlier.id < deliveries.id))
  ORDER BY due_at, deliveries.id LIMIT ${"limit"}`

const claim = sql<{ id: number; claims: number; at: number; leaseEnd: number }>`
  UPDATE deliveries SET claims = claims + 1, claimed_at = ${"at"}, due_at = ${"leaseEnd"}
  WHERE id = ${"id"} AND claims = ${"claims"} AND state = 'pending' AND due_at <= ${"at"}`

const addAttempt = sql<AttemptRow & { deliveryId: number }, { id: number }>`
  INSERT INTO delivery_attempts (delivery_id, at, duration_ms, status, error, answer)
  VALUES (${"deliveryId"}, ${"at"}, ${"durationMs"}, ${"status"}, ${"error"}, ${"answer"}) RETURNING id`

const logAttempt = sql<{ id: number; attemptId: number }>`
  UPDATE deliveries SET attempts = attempts + 1, last_attempt_id = ${"attemptId"} WHERE id = ${"id"}`

const stand = sql<{ id: number; claim: number; state: string; step: number; dueAt: number }>`
  UPDATE deliveries SET state = ${"state"}, step = ${"step"}, due_at = ${"dueAt"}, claimed_at = NULL
  WHERE id = ${"id"} AND claims = ${"claim"}`

const release = sql<{ id: number; claim: number; at: number }>`
  UPDATE deliveries SET due_at = ${"at"}, claimed_at = NULL WHERE id = ${"id"} AND claims = ${"claim"}`

/** Frees what a process that is gone had claimed; only for a database that one process uses at a time. */
export const releaseEveryClaim = sql<Record<never, never>>`
  UPDATE deliveries SET due_at = claimed_at, claimed_at = NULL WHERE state = 'pending' AND claimed_at IS NOT NULL`

const read = sql<{ id: number; webhookId: number }, DeliveryRow>`
  SELECT deliveries.id, webhook_id AS "webhookId", position, json, kind, state, attempts, due_at AS "dueAt",
         deliveries.created_at AS "createdAt", at, duration_ms AS "durationMs", status, error, answer
  FROM deliveries JOIN events ON events.id = event_id LEFT JOIN delivery_attempts AS last ON last.id = last_attempt_id
  WHERE deliveries.id = ${"id"} AND webhook_id = ${"webhookId"}`

const list = sql<{ webhookId: number; states: string; before: number; limit: number }, DeliveryRow>`
  SELECT deliveries.id, webhook_id AS "webhookId", position, json, kind, state, attempts, due_at AS "dueAt",
         deliveries.created_at AS "createdAt", at, duration_ms AS "durationMs", status, error, answer
  FROM deliveries JOIN events ON events.id = event_id LEFT JOIN delivery_attempts AS last ON last.id = last_attempt_id
  WHERE webhook_id = ${"webhookId"} AND state IN (${elements("states")}) AND deliveries.id < ${"before"}
  ORDER BY deliveries.id DESC LIMIT ${"limit"}`

const attempts = sql<{ id: number }, AttemptRow>`
  SELECT at, duration_ms AS "durationMs", status, error, answer FROM delivery_attempts
  WHERE delivery_id = ${"id"} ORDER BY id LIMIT 1000`

const retry = sql<{ id: number; at: number }>`
  UPDATE deliveries SET state = 'pending', step = 0, due_at = ${"at"}, claimed_at = NULL
  WHERE id = ${"id"} AND (claimed_at IS NULL OR due_at <= ${"at"})`

const retryFailed = sql<{ webhookId: number; since: number; at: number }>`
  UPDATE deliveries SET state = 'pending', step = 0, due_at = ${"at"}
  WHERE webhook_id = ${"webhookId"} AND state = 'failed' AND is_test = 0 AND created_at >= ${"since"}`

const old = sql<{ before: number; limit: number }, { id: number }>`
  SELECT id FROM deliveries WHERE created_at < ${"before"} LIMIT ${"limit"}`

const forgetAttempts = sql<{ id: number }>`DELETE FROM delivery_attempts WHERE delivery_id = ${"id"}`

const forget = sql<{ id: number }>`DELETE FROM deliveries WHERE id = ${"id"}`

export const deliveryStore = (db: Connection): DeliveryStore => ({
  addTest: async (webhookId, eventId, at) => ((await db.one(addTest, { webhookId, eventId, at })) as { id: number }).id,

  due: async (at) =>
    (await db.all(due, { at })).map(
      ({ webhookId, failingSince }): Due => ({ webhookId, failing: failingSince !== null }),
    ),

  async claim(webhookId, limit, at, leaseEnd) {
    const claimed: Claim[] = []
    for (const row of await db.all(ready, { webhookId, at, limit }))
      if ((await db.run(claim, { id: row.id, claims: row.claims, at, leaseEnd })) === 1)
        claimed.push(claimOf(webhookId, row))
    return claimed
  },

  async settle({ deliveryId, claim }, outcome, standing) {
    const row = await db.one(addAttempt, { deliveryId, ...attemptRow(outcome) })
    await db.run(logAttempt, { id: deliveryId, attemptId: (row as { id: number }).id })
    await db.run(stand, standRow(deliveryId, claim, outcome, standing))
  },

  async release({ deliveryId: id, claim }, at) {
    await db.run(release, { id, claim, at })
  },

  async read(id, webhookId) {
    const row = await db.one(read, { id, webhookId })
    return row && deliveryOf(row)
  },
  attempts: async (id) => (await db.all(attempts, { id })).map(attemptOf),

  async list(webhookId, states, { before = idMax + 1, limit }) {
    const rows = await db.all(list, { webhookId, states: JSON.stringify(states), before, limit: limit + 1 })
    return pageOf(rows, limit, deliveryOf)
  },

  async retry(id, at) {
    await db.run(retry, { id, at })
  },
  retryFailed: (webhookId, since, at) => db.run(retryFailed, { webhookId, since, at }),

  async prune(before, limit) {
    const rows = await db.all(old, { before, limit })
    for (const { id } of rows) {
      await db.run(forgetAttempts, { id })
      await db.run(forget, { id })
    }
    return rows.length
  },
})

const claimOf = (webhookId: number, row: ClaimRow): Claim => ({
  deliveryId: row.id,
  webhookId,
  claim: row.claims + 1,
  step: row.step,
  isTest: row.isTest === 1,
  kind: row.kind as Claim["kind"],
  eventId: publicId(row.position, row.json),
  json: row.json as Claim["json"],
})

const attemptRow = ({ at, durationMs, status, error, answer }: Outcome): AttemptRow => ({
  at,
  durationMs,
  status: status ?? null,
  error: error ?? null,
  answer: answer ?? null,
})

const standRow = (id: number, claim: number, { at }: Outcome, { state, step, dueAt }: Standing) => ({
  id,
  claim,
  state,
  step,
  dueAt: dueAt ?? at,
})

const deliveryOf = (row: DeliveryRow): Delivery => ({
  id: row.id,
  webhookId: row.webhookId,
  eventId: publicId(row.position, row.json),
  event: row.kind as Delivery["event"],
  state: row.state as DeliveryState,
  attempts: row.attempts,
  ...(row.state === "pending" && { nextAttemptAt: timestamp(row.dueAt) }),
  createdAt: timestamp(row.createdAt),
  ...(typeof row.at === "number" && { lastAttempt: attemptOf(row as AttemptRow) }),
})

const attemptOf = ({ at, durationMs, status, error, answer }: AttemptRow): Attempt => ({
  at: timestamp(at),
  durationMs,
  ...(status !== null && { status }),
  ...(error !== null && { error: error as NonNullable<Attempt["error"]> }),
  ...(answer !== null && { answer }),
})
