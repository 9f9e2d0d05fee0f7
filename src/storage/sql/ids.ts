// Decision: docs/decisions/storage-sql.md#taken-ids-are-skipped-one-by-one-then-by-a-random-leap

import { randomInt } from "node:crypto"
import { fragment, inDialect, type None, type SqlConnection, sql, word } from "./statement.ts"

/** Consecutive taken ids that are skipped one by one; after that, random ids are tried. */
const walkMax = 200

/** Generates ids for a table in which clients can also choose them. */
export function createIdSequence(name: string) {
  // A sequence of PostgreSQL does not block transactions, and leaves gaps after rollbacks.
  const give = sql<None, { last: number; taken: number | null }>`${inDialect({
    sqlite: fragment`
      UPDATE counters SET last = last + 1 WHERE name = '${word(name)}'
      RETURNING last, (SELECT id FROM ${word(name)} WHERE id = last) AS taken`,
    postgres: fragment`
      SELECT last, (SELECT id FROM ${word(name)} WHERE id = last) AS taken
      FROM (SELECT nextval('${word(name)}_ids') AS last OFFSET 0) AS given`,
  })}`

  const skipTo = sql<{ id: number }, { last: number }>`${inDialect<{ id: number }>({
    sqlite: fragment`UPDATE counters SET last = ${"id"} WHERE name = '${word(name)}' RETURNING last`,
    // Drawn one by one: setting a sequence back, as concurrent transactions may, would give ids twice. Far away the
    // id is random, so no other transaction draws it.
    postgres: fragment`
      SELECT CASE WHEN id - last_value > ${word(String(walkMax))} THEN setval('${word(name)}_ids', id)
        ELSE (SELECT max(nextval('${word(name)}_ids')) FROM generate_series(1, id - last_value)) END AS last
      FROM (SELECT CAST(${"id"} AS BIGINT) AS id, last_value FROM ${word(name)}_ids) AS wanted`,
  })}`

  const isTaken = sql<{ id: number }, { id: number }>`SELECT id FROM ${word(name)} WHERE id = ${"id"}`

  const endOfRun = sql<{ from: number; to: number }, { id: number }>`
    SELECT min(id) AS id FROM ${word(name)} AS row WHERE id >= ${"from"} AND id < ${"to"}
    AND NOT EXISTS (SELECT 1 FROM ${word(name)} AS neighbour WHERE neighbour.id = row.id + 1)`

  async function stepOver(db: SqlConnection, first: number): Promise<number> {
    const end = (await db.one(endOfRun, { from: first, to: first + walkMax }))?.id
    if (typeof end === "number") return end + 1
    for (let reach = walkMax; ; reach *= 2) {
      // Random, so that clients cannot predict and take these ids.
      const id = first + reach + randomInt(reach)
      if ((await db.one(isTaken, { id })) === undefined) return id
    }
  }

  /** Above every generated id and different from every id in the table. */
  return async (db: SqlConnection): Promise<number> => {
    for (;;) {
      const { last, taken } = (await db.one(give, {})) as { last: number; taken: number | null }
      if (taken === null) return last
      // To the id before: concurrent transactions that skip the same ids each draw another one.
      await db.one(skipTo, { id: (await stepOver(db, last)) - 1 })
    }
  }
}
