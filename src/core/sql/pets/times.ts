import type { PetStore, PetTimes } from "../../domain/pets/store.ts"
import { andThen } from "../../kernel/flow/awaitable.ts"
import { integers, type SqlConnection, sql } from "../statement.ts"

/** `updatedAt` is null while the pet is as it was added. */
export type TimesRow = { createdAt: number | null; updatedAt: number | null }

const read = sql<{ ids: string }, TimesRow & { id: number }>`
  SELECT id, created_at AS "createdAt", updated_at AS "updatedAt" FROM pets WHERE id IN (${integers("ids")})`

/** The times of pets, which reads of pets never look at. */
export const petTimeStore = (db: SqlConnection): Pick<PetStore, "times"> => ({
  times: (ids) =>
    andThen(
      undefined,
      db.all(read, { ids: JSON.stringify(ids) }),
      (_, rows) => new Map(rows.map((row) => [row.id, toTimes(row)])),
    ),
})

export const toTimes = ({ createdAt, updatedAt }: TimesRow): PetTimes => ({
  createdAt: createdAt ?? undefined,
  updatedAt: updatedAt ?? createdAt ?? undefined,
})
