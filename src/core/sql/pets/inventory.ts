import { randomInt } from "node:crypto"
import { type Pet, PetStatus } from "../../domain/pets/contract.ts"
import type { StatusCounts } from "../../domain/pets/store.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import { fragment, inDialect, type None, rowsOf, type SqlConnection, sql } from "../statement.ts"

type CountRow = { status: PetStatus; slot: number; change: number }

const rows = rowsOf<CountRow>({ status: "texts", slot: "integers", change: "integers" })

// The first pet of a status adds its row, so that a new status needs no migration.
const change = sql<CountRow>`
  INSERT INTO inventory (status, slot, pets) ${rows} ${inDialect<None>({
    sqlite: fragment`ON CONFLICT (status) DO UPDATE SET pets = pets + excluded.pets`,
    postgres: fragment`ON CONFLICT (status, slot) DO UPDATE SET pets = inventory.pets + excluded.pets`,
  })}`

const read = sql<None, { status: string; pets: number }>`
  SELECT status, sum(pets) AS "pets" FROM inventory GROUP BY status`

/** Changes the counts of some statuses, each once and in one order everywhere, to avoid deadlocks. */
export function changeInventory(db: SqlConnection, changes: StatusCounts): Awaitable<unknown> {
  const slot = randomInt(db.slots)
  const sorted = [...changes].filter(([, change]) => change !== 0).sort(([one], [other]) => (one < other ? -1 : 1))
  return db.runEach(
    change,
    sorted.map(([status, change]) => ({ status, slot, change })),
  )
}

/** Counts pets that were added, or notes in `uncounted` that they are to be counted. */
export const countAdded = (db: SqlConnection, pets: readonly Pet[], uncounted?: StatusCounts) =>
  count(
    db,
    pets.map(({ status }) => [status, 1]),
    uncounted,
  )

/** The same for a pet that was removed. */
export const countRemoved = (db: SqlConnection, { status }: Pet, uncounted?: StatusCounts) =>
  count(db, [[status, -1]], uncounted)

/** The same for a pet that was changed. */
export const countChanged = (db: SqlConnection, before: Pet, after: Pet, uncounted?: StatusCounts) =>
  before.status === after.status
    ? undefined
    : count(
        db,
        [
          [before.status, -1],
          [after.status, 1],
        ],
        uncounted,
      )

function count(db: SqlConnection, changes: readonly [PetStatus, number][], uncounted: StatusCounts | undefined) {
  const counts: StatusCounts = uncounted ?? new Map()
  for (const [status, change] of changes) counts.set(status, (counts.get(status) ?? 0) + change)
  return uncounted ? undefined : changeInventory(db, counts)
}

export const countPets = (db: SqlConnection): Awaitable<Record<PetStatus, number>> =>
  andThen(undefined, db.all(read, {}), (_, rows) => {
    const found = new Map(rows.map(({ status, pets }) => [status, pets]))
    const counts = PetStatus.enum.map((status) => [status, found.get(status) ?? 0])
    return Object.fromEntries(counts) as Record<PetStatus, number>
  })
