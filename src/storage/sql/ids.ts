import { type Connection, forUpdate, sql, table } from "./statement.ts"

const lastGiven = sql<{ name: string }, { last: number }>`
  SELECT last FROM counters WHERE name = ${"name"} ${forUpdate}`

const give = sql<{ name: string; id: number }>`
  UPDATE counters SET last = ${"id"} WHERE name = ${"name"}`

/** The next ids of a table into which clients may also put ids of their own choice. */
export function idsOf(name: string) {
  const isTaken = sql<{ id: number }, { id: number }>`
    SELECT id FROM ${table(name)} WHERE id = ${"id"}`

  const endOfRun = sql<{ from: number }, { id: number }>`
    SELECT min(id) AS id FROM ${table(name)} AS row WHERE id >= ${"from"}
    AND NOT EXISTS (SELECT 1 FROM ${table(name)} AS neighbour WHERE neighbour.id = row.id + 1)`

  /** Above every id given before and unlike any that is in the table. */
  return async (db: Connection): Promise<number> => {
    const { last } = (await db.one(lastGiven, { name })) as { last: number }
    const run = (await db.one(isTaken, { id: last + 1 })) && (await db.one(endOfRun, { from: last + 1 }))
    const id = (run ? run.id : last) + 1
    await db.run(give, { name, id })
    return id
  }
}
