import type { Event, EventStore } from "../../domain/events/store.ts"
import { timestamp } from "../../kernel/clock.ts"
import { type Json, json } from "../../kernel/json.ts"
import { type Connection, sql } from "./statement.ts"

const add = sql<{ kind: string; json: string; at: number; accountId: number | null }>`
  INSERT INTO events (kind, json, created_at, account_id)
  VALUES (${"kind"}, ${"json"}, ${"at"}, ${"accountId"})`

const after = sql<{ after: number; limit: number }, { id: number; json: Json<Event> }>`
  SELECT id, json FROM events WHERE id > ${"after"} ORDER BY id LIMIT ${"limit"}`

export const eventStore = (db: Connection): EventStore => ({
  async add(kind, data, at, accountId) {
    await db.run(add, {
      kind,
      json: json({ event: kind, data, timestamp: timestamp(at) }),
      at,
      accountId: accountId ?? null,
    })
  },
  after: (id, limit) => db.all(after, { after: id, limit }),
})
