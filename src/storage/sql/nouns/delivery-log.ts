import type { Attempt } from "../../../domain/webhooks/deliveries/contract.ts"
import type { Outcome } from "../../../domain/webhooks/deliveries/model.ts"
import { timestamp } from "../../../kernel/clock.ts"
import type { Stored } from "../rows.ts"
import { type Connection, sql } from "../statement.ts"

export type AttemptRow = Stored<Omit<Outcome, "retryAfterMs">>

const message = sql<{ id: number }, { json: string }>`
  SELECT json FROM deliveries JOIN events ON events.id = event_id WHERE deliveries.id = ${"id"}`

const attempts = sql<{ id: number }, AttemptRow>`
  SELECT at, duration_ms AS "durationMs", status, error, answer FROM delivery_attempts
  WHERE delivery_id = ${"id"} ORDER BY id LIMIT 1000`

/** The exact text a delivery sends; empty when there is no such delivery. */
export const readMessage = async (db: Connection, id: number): Promise<string> =>
  (await db.one(message, { id }))?.json ?? ""

/** Every attempt of a delivery, oldest first. */
export const readAttempts = async (db: Connection, id: number): Promise<Attempt[]> =>
  (await db.all(attempts, { id })).map(toAttempt)

export const toAttempt = ({ at, durationMs, status, error, answer }: AttemptRow): Attempt => ({
  at: timestamp(at),
  durationMs,
  ...(status !== null && { status }),
  ...(error !== null && { error }),
  ...(answer !== null && { answer }),
})
