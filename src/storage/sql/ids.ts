import { randomInt } from "node:crypto"
import { type Connection, inDialect, type None, part, sql, word } from "./statement.ts"

/** How many taken ids in a row are stepped over one by one; past that, a random one is tried. */
const walkMax = 200

/** The next ids of a table into which clients may also put ids of their own choice. */
export function createIdSequence(name: string) {
  // A sequence of PostgreSQL's keeps nobody waiting, and leaves a gap where a transaction is undone.
  const give = sql<None, { last: number; taken: number | null }>`${inDialect({
    sqlite: part`
      UPDATE counters SET last = last + 1 WHERE name = '${word(name)}'
      RETURNING last, (SELECT id FROM ${word(name)} WHERE id = last) AS taken`,
    postgres: part`
      SELECT last, (SELECT id FROM ${word(name)} WHERE id = last) AS taken
      FROM (SELECT nextval('${word(name)}_ids') AS last OFFSET 0) AS given`,
  })}`

  const skipTo = sql<{ id: number }, { last: number }>`${inDialect<{ id: number }>({
    sqlite: part`UPDATE counters SET last = ${"id"} WHERE name = '${word(name)}' RETURNING last`,
    // Drawn one by one, because setting a sequence back, as two that do it at once may, gives ids twice. Far away nobody else
    // draws: that id is random.
    postgres: part`
      SELECT CASE WHEN id - last_value > ${word(String(walkMax))} THEN setval('${word(name)}_ids', id)
        ELSE (SELECT max(nextval('${word(name)}_ids')) FROM generate_series(1, id - last_value)) END AS last
      FROM (SELECT CAST(${"id"} AS BIGINT) AS id, last_value FROM ${word(name)}_ids) AS wanted`,
  })}`

  const isTaken = sql<{ id: number }, { id: number }>`
    SELECT id FROM ${word(name)} WHERE id = ${"id"}`

  const endOfRun = sql<{ from: number; to: number }, { id: number }>`
    SELECT min(id) AS id FROM ${word(name)} AS row WHERE id >= ${"from"} AND id < ${"to"}
    AND NOT EXISTS (SELECT 1 FROM ${word(name)} AS neighbour WHERE neighbour.id = row.id + 1)`

  async function stepOver(db: Connection, first: number): Promise<number> {
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
    for (;;) {
      const { last, taken } = (await db.one(give, {})) as { last: number; taken: number | null }
      if (taken === null) return last
      // To the one before: of those that step over the same ids at once each is given another one.
      await db.one(skipTo, { id: (await stepOver(db, last)) - 1 })
    }
  }
}
