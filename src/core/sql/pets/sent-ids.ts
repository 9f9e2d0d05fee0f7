import type { PetStore, SentIds } from "../../domain/pets/store.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import { integers, type SqlConnection, sql } from "../statement.ts"

const read = sql<{ petIds: string }, { petId: number; json: string }>`
  SELECT pet_id AS "petId", json AS "json" FROM sent_label_ids WHERE pet_id IN (${integers("petIds")})`

const keep = sql<{ petId: number; json: string }>`
  INSERT INTO sent_label_ids (pet_id, json) VALUES (${"petId"}, ${"json"})
  ON CONFLICT (pet_id) DO UPDATE SET json = excluded.json`

// A foreign key does the same when the pet is deleted.
const forget = sql<{ petId: number }>`DELETE FROM sent_label_ids WHERE pet_id = ${"petId"}`

/** The ids that clients of the classic v2 sent with pets. Other reads of pets never look here. */
export const sentIdStore = (db: SqlConnection): Pick<PetStore, "sentIds" | "keepSentIds"> => ({
  sentIds: (petIds): Awaitable<Map<number, SentIds>> =>
    andThen(
      undefined,
      db.all(read, { petIds: JSON.stringify(petIds) }),
      (_, rows) => new Map(rows.map(({ petId, json }) => [petId, JSON.parse(json) as SentIds])),
    ),
  async keepSentIds(petId, sent) {
    db.noteText?.("pets", petId)
    if (sent.category || sent.tags.length > 0) await db.run(keep, { petId, json: JSON.stringify(sent) })
    else await db.run(forget, { petId })
  },
})
