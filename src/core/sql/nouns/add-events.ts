import { eventKinds } from "../../domain/events/contract.ts"
import type { NewEvent } from "../../domain/events/store.ts"
import { timestamp } from "../../kernel/clock.ts"
import { json } from "../../kernel/json/json.ts"
import { hashOf } from "../hashes/hash-of.ts"
import { fragment, inDialect, type None, returningId, rowsOf, type SqlConnection, sql } from "../statement.ts"

/** The newest position. Only events up to the counter are deleted, so no position is given twice. */
export const newest = fragment<None>`
  (SELECT max(position) FROM (
    SELECT last AS position FROM counters WHERE name = 'events'
    UNION ALL
    SELECT max(position) FROM events WHERE position > (SELECT last FROM counters WHERE name = 'events')
  ) AS positions)`

/** SQLite commits in the order of writing, so that an event has its position from the start. */
const positionAtInsert = inDialect<None>({ sqlite: fragment`${newest} + 1`, postgres: fragment`NULL` })

type EventRow = {
  kind: string
  json: string
  hash: string
  at: number
  accountId: number | undefined
  petId: number | undefined
}

const eventRows = rowsOf<EventRow>(
  { kind: "texts", json: "texts", hash: "texts", at: "integers", accountId: "integers", petId: "integers" },
  positionAtInsert,
)

const add = sql<EventRow>`
  INSERT INTO events (kind, json, text_hash, created_at, account_id, pet_id, position) ${eventRows} ${returningId}`

/** Adds events in this order; returns their internal numbers. */
export async function addEvents(db: SqlConnection, events: readonly NewEvent[]): Promise<number[]> {
  const rows = events.map(({ kind, data, at, accountId }) => {
    const text = json({ event: kind, data, timestamp: timestamp(at) })
    return { kind, json: text, hash: hashOf(text), at, accountId, petId: petOf(kind, data) }
  })
  const ids = await db.insertEach(add, rows)
  db.noteChange("event-added")
  return ids
}

function petOf(kind: keyof typeof eventKinds, data: object): number | undefined {
  const { pet } = eventKinds[kind] as { pet?: string }
  return pet === undefined ? undefined : (data as Record<string, number>)[pet]
}
