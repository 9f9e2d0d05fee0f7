import { randomInt } from "node:crypto"
import { type Connection, forUpdate, sql, word } from "./statement.ts"

const lastGiven = sql<{ name: string }, { last: number }>`
  SELECT last FROM counters WHERE name = ${"name"} ${forUpdate}`

const give = sql<{ name: string; id: number }>`
  UPDATE counters SET last = ${"id"} WHERE name = ${"name"}`

/** How many taken ids in a row are stepped over one by one; past that, a random one is tried. */
const walkMax = 200

/** The next ids of a table into which clients may also put ids of their own choice. */
export function createIdSequence(name: string) {
  const isTaken = sql<{ id: number }, { id: number }>`
    SELECT id FROM ${word(name)} WHERE id = ${"id"}`

  const endOfRun = sql<{ from: number; to: number }, { id: number }>`
    SELECT min(id) AS id FROM ${word(name)} AS row WHERE id >= ${"from"} AND id < ${"to"}
    AND NOT EXISTS (SELECT 1 FROM ${word(name)} AS neighbour WHERE neighbour.id = row.id + 1)`

  async function findFree(db: Connection, first: number): Promise<number> {
    if ((await db.one(isTaken, { id: first })) === undefined) return first
    const end = (await db.one(endOfRun, { from: first, to: first + walkMax }))?.id
    if (typeof end === "number") return end + 1
    for (let reach = walkMax; ; reach *= 2) {
      // Random, so that nobody can predict and take the ids that are tried.
      const id = first + reach + randomInt(reach)
      if ((await db.one(isTaken, { id })) === undefined) return id
    }
  }

  /** Above every id given before and unlike any that is in the table. */
  return async (db: Connection): Promise<number> => {
    const { last } = (await db.one(lastGiven, { name })) as { last: number }
    const id = await findFree(db, last + 1)
    await db.run(give, { name, id })
    return id
  }
}
