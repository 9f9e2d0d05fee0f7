import type { Attempt, AttemptError, Delivery } from "../../domain/webhooks/deliveries/contract.ts"
import type { Outcome } from "../../domain/webhooks/deliveries/model.ts"
import type { Claim, DeliveryStore, Due, Settled } from "../../domain/webhooks/deliveries/store.ts"
import { timestamp } from "../../kernel/clock.ts"
import { together } from "../../kernel/flow/together.ts"
import { type PageRow, readOne, readPage, type Stored } from "../rows.ts"
import { elements, fragment, type None, returningId, type SqlConnection, sql } from "../statement.ts"
import { isActiveUnlessLocked, lockWebhook, readBacklog, restoreOrder, unblockFirst, updateDue } from "./due.ts"
import { publicId } from "./events.ts"

/** Until version 0.2.0 an error had another name. */
type StoredError = AttemptError | "malformed-answer" | undefined
type AttemptRow = Stored<Omit<Outcome, "retryAfterMs" | "error"> & { error: StoredError }>
type DeliveryRow = Pick<Delivery, "id" | "webhookId" | "state" | "attempts"> &
  Partial<AttemptRow> & { position: number; json: string; kind: Delivery["event"]; dueAt: number; createdAt: number }
/** The position of a delivery: an ordered webhook delivers the events of a pet in order. */
type QueueRow = { id: number; webhookId: number; petId: number | null }
type ClaimRow = Pick<Claim, "deliveryId" | "step" | "kind" | "json"> & {
  claims: number
  isTest: number
  position: number
}

const addTest = sql<{ webhookId: number; eventId: number; at: number }>`
  INSERT INTO deliveries (webhook_id, event_id, is_test, state, step, attempts, due_at, claims, created_at)
  VALUES (${"webhookId"}, ${"eventId"}, 1, 'pending', 0, 0, ${"at"}, 0, ${"at"})
  ${returningId}`

const due = sql<{ lane: string; at: number; limit: number }, Due>`
  SELECT id AS "webhookId", account_id AS "accountId", due_at AS "dueAt" FROM webhooks
  WHERE lane = ${"lane"} AND due_at <= ${"at"} ORDER BY due_at LIMIT ${"limit"}`

const claimColumns = fragment<None>`deliveries.id AS "deliveryId", step, claims, is_test AS "isTest", kind, position, json`

const ready = sql<{ webhookId: number; at: number; limit: number }, ClaimRow>`
  SELECT ${claimColumns} FROM deliveries JOIN events ON events.id = event_id
  WHERE webhook_id = ${"webhookId"} AND state = 'pending' AND blocked = 0 AND due_at <= ${"at"}
  ORDER BY due_at, deliveries.id LIMIT ${"limit"}`

const readyTests = sql<{ webhookId: number; at: number; limit: number }, ClaimRow>`
  SELECT ${claimColumns} FROM deliveries JOIN events ON events.id = event_id
  WHERE webhook_id = ${"webhookId"} AND state = 'pending' AND is_test = 1 AND due_at <= ${"at"}
  ORDER BY due_at LIMIT ${"limit"}`

const claim = sql<{ id: number; claims: number; at: number; leaseEnd: number }>`
  UPDATE deliveries SET claims = claims + 1, claimed_at = ${"at"}, due_at = ${"leaseEnd"}
  WHERE id = ${"id"} AND claims = ${"claims"} AND state = 'pending' AND due_at <= ${"at"}`

const addAttempt = sql<Outcome & { deliveryId: number }>`
  INSERT INTO delivery_attempts (delivery_id, at, duration_ms, status, error, answer)
  VALUES (${"deliveryId"}, ${"at"}, ${"durationMs"}, ${"status"}, ${"error"}, ${"response"})
  ${returningId}`

const logAttempt = sql<{ id: number; attemptId: number }>`
  UPDATE deliveries SET attempts = attempts + 1, last_attempt_id = ${"attemptId"} WHERE id = ${"id"}`

const putState = sql<{ id: number; claim: number; state: string; step: number; dueAt: number }>`
  UPDATE deliveries SET state = ${"state"}, step = ${"step"}, due_at = ${"dueAt"}, claimed_at = NULL
  WHERE id = ${"id"} AND claims = ${"claim"}`

const release = sql<{ id: number; claim: number; at: number }>`
  UPDATE deliveries SET due_at = ${"at"}, claimed_at = NULL WHERE id = ${"id"} AND claims = ${"claim"}`

const columns = fragment<None>`
         deliveries.id, webhook_id AS "webhookId", position, json, kind, state, attempts, due_at AS "dueAt",
         deliveries.created_at AS "createdAt", at, duration_ms AS "durationMs", status, error, answer AS "response"`

const read = sql<{ id: number; webhookId: number }, DeliveryRow>`
  SELECT ${columns}
  FROM deliveries JOIN events ON events.id = event_id LEFT JOIN delivery_attempts AS last ON last.id = last_attempt_id
  WHERE deliveries.id = ${"id"} AND webhook_id = ${"webhookId"}`

const list = sql<{ webhookId: number; states: string } & PageRow, DeliveryRow>`
  SELECT ${columns}
  FROM deliveries JOIN events ON events.id = event_id LEFT JOIN delivery_attempts AS last ON last.id = last_attempt_id
  WHERE deliveries.id IN (
    SELECT newest.id FROM (${elements("states")}) AS wanted JOIN deliveries AS newest ON newest.id IN (
      SELECT id FROM deliveries
      WHERE webhook_id = ${"webhookId"} AND state = wanted.value AND id < ${"before"}
      ORDER BY id DESC LIMIT ${"limit"}
    )
  )
  ORDER BY deliveries.id DESC LIMIT ${"limit"}`

const queueColumns = fragment<None>`id, webhook_id AS "webhookId", pet_id AS "petId"`

const queueRowOf = sql<{ id: number }, QueueRow>`SELECT ${queueColumns} FROM deliveries WHERE id = ${"id"}`

const retry = sql<{ id: number; at: number }>`
  UPDATE deliveries SET state = 'pending', step = 0, due_at = ${"at"}, claimed_at = NULL
  WHERE id = ${"id"} AND (claimed_at IS NULL OR due_at <= ${"at"})`

const failedSince = sql<{ webhookId: number; since: number; limit: number }, QueueRow>`
  SELECT ${queueColumns} FROM deliveries
  WHERE webhook_id = ${"webhookId"} AND state = 'failed' AND is_test = 0 AND created_at >= ${"since"}
  ORDER BY created_at LIMIT ${"limit"}`

const old = sql<{ before: number; limit: number }, QueueRow>`
  SELECT ${queueColumns} FROM deliveries WHERE created_at < ${"before"} LIMIT ${"limit"}`

const message = sql<{ id: number }, { json: string }>`
  SELECT json FROM deliveries JOIN events ON events.id = event_id WHERE deliveries.id = ${"id"}`

const attempts = sql<{ id: number }, AttemptRow>`
  SELECT at, duration_ms AS "durationMs", status, error, answer AS "response" FROM delivery_attempts
  WHERE delivery_id = ${"id"} ORDER BY id LIMIT 1000`

const removeAttempts = sql<{ id: number }>`DELETE FROM delivery_attempts WHERE delivery_id = ${"id"}`

const remove = sql<{ id: number }>`DELETE FROM deliveries WHERE id = ${"id"}`

export const deliveryStore = (db: SqlConnection): DeliveryStore => ({
  async addTest(webhookId, eventId, at) {
    const id = await db.insert(addTest, { webhookId, eventId, at })
    await updateDue(db, webhookId)
    db.noteChange("delivery-due")
    return id
  },
  due: async (lane, at, limit) => db.all(due, { lane, at, limit }),
  backlog: (at, max) => readBacklog(db, at, max),
  async claim(webhookId, limit, at, leaseEnd) {
    const claimed: Claim[] = []
    const active = await isActiveUnlessLocked(db, webhookId)
    if (active === undefined) return claimed
    for (const row of await db.all(active ? ready : readyTests, { webhookId, at, limit }))
      if ((await db.run(claim, { id: row.deliveryId, claims: row.claims, at, leaseEnd })) === 1)
        claimed.push(toClaim(webhookId, row, leaseEnd))
    await updateDue(db, webhookId, at)
    return claimed
  },
  async settle(settled) {
    const [{ claim }] = settled as [Settled]
    await lockWebhook(db, claim.webhookId)
    const kept = await together(settled.map((one) => () => settleOne(db, one)))
    await updateDue(db, claim.webhookId, Math.max(...settled.map(({ outcome }) => outcome.at)))
    return kept
  },
  async release({ deliveryId: id, webhookId, claim }, at) {
    await db.run(release, { id, claim, at })
    await updateDue(db, webhookId)
    db.noteChange("delivery-due")
  },
  read: async (id, webhookId) => readOne(db, read, { id, webhookId }, toDelivery),
  message: async (id) => (await db.one(message, { id }))?.json ?? "",
  attempts: async (id) => (await db.all(attempts, { id })).map(toAttempt),
  list: (webhookId, states, page) =>
    readPage(db, list, { webhookId, states: JSON.stringify(states) }, page, toDelivery),
  async retry(id, at) {
    const row = await db.one(queueRowOf, { id })
    if (row) await retryDelivery(db, row, at)
  },
  async retryFailed(webhookId, since, at, limit) {
    await lockWebhook(db, webhookId)
    const rows = await db.all(failedSince, { webhookId, since, limit })
    for (const row of rows) await retryDelivery(db, row, at)
    return rows.length
  },
  async prune(before, limit) {
    const rows = await db.all(old, { before, limit })
    await lockWebhooks(db, rows)
    for (const { id, webhookId, petId } of rows) {
      await db.run(removeAttempts, { id })
      await db.run(remove, { id })
      await unblockFirst(db, webhookId, petId)
    }
    for (const webhookId of new Set(rows.map((row) => row.webhookId))) await updateDue(db, webhookId)
    return rows.length
  },
})

async function settleOne(db: SqlConnection, { claim: claimed, outcome, progress }: Settled): Promise<boolean> {
  const { deliveryId, webhookId, claim } = claimed
  const attemptId = await db.insert(addAttempt, { deliveryId, ...outcome })
  await db.run(logAttempt, { id: deliveryId, attemptId })
  const { state, step, dueAt = outcome.at } = progress
  const isLatest = (await db.run(putState, { id: deliveryId, claim, state, step, dueAt })) > 0
  const row = isLatest && state !== "pending" ? await db.one(queueRowOf, { id: deliveryId }) : undefined
  if (row) await unblockFirst(db, webhookId, row.petId)
  return isLatest
}

/** In ascending order, to avoid deadlocks. */
async function lockWebhooks(db: SqlConnection, rows: readonly QueueRow[]): Promise<void> {
  for (const id of [...new Set(rows.map(({ webhookId }) => webhookId))].sort((a, b) => a - b)) await lockWebhook(db, id)
}

async function retryDelivery(db: SqlConnection, { id, webhookId, petId }: QueueRow, at: number): Promise<void> {
  await lockWebhook(db, webhookId)
  if ((await db.run(retry, { id, at })) === 0) return
  await restoreOrder(db, webhookId, petId)
  await updateDue(db, webhookId)
  db.noteChange("delivery-due")
}

const toClaim = (webhookId: number, { claims, isTest, position, ...row }: ClaimRow, leaseEnd: number): Claim => ({
  ...row,
  webhookId,
  leaseEnd,
  claim: claims + 1,
  isTest: isTest === 1,
  eventId: publicId(position, row.json),
})

const toDelivery = ({ id, webhookId, state, attempts, ...row }: DeliveryRow): Delivery => ({
  id,
  webhookId,
  eventId: publicId(row.position, row.json),
  event: row.kind,
  state,
  attempts,
  ...(state === "pending" && { nextAttemptAt: timestamp(row.dueAt) }),
  createdAt: timestamp(row.createdAt),
  ...(typeof row.at === "number" && { lastAttempt: toAttempt(row as AttemptRow) }),
})

const toAttempt = ({ at, durationMs, status, error, response }: AttemptRow): Attempt => ({
  at: timestamp(at),
  durationMs,
  ...(status !== null && { status }),
  ...(error !== null && { error: error === "malformed-answer" ? "malformed-response" : error }),
  ...(response !== null && { response }),
})
