// Decision: docs/decisions/storage-sql.md#taken-ids-are-skipped-one-by-one-then-by-a-random-leap

import { randomInt } from "node:crypto"
import { fragment, inDialect, type SqlConnection, sql, word } from "./statement.ts"

/** Consecutive taken ids that are skipped one by one; after that, random ids are tried. */
const walkMax = 200

/** The end of a run of ids, and the highest id in the table that is not above it. */
type Run = { last: number; highest: number | null }

/** Generates ids for a table in which clients can also choose them. */
export function createIdSequence(name: string) {
  const highest = word(`(SELECT max(id) FROM ${name} WHERE id <= last)`)

  // Runs of consecutive ids. A sequence of PostgreSQL does not block transactions, leaves gaps after rollbacks, and gives runs of one.
  const give = sql<{ count: number }, Run>`${inDialect<{ count: number }>({
    sqlite: fragment`
      UPDATE counters SET last = last + ${"count"} WHERE name = '${word(name)}' RETURNING last, ${highest} AS highest`,
    postgres: fragment`
      SELECT last, ${highest} AS highest
      FROM (SELECT nextval('${word(name)}_ids') AS last FROM generate_series(1, CAST(${"count"} AS INT)) OFFSET 0) AS given`,
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

  async function nextId(db: SqlConnection): Promise<number> {
    for (;;) {
      const { last, highest } = (await db.one(give, { count: 1 })) as Run
      if (highest !== last) return last
      // To the id before: concurrent transactions that skip the same ids each draw another one.
      await db.one(skipTo, { id: (await stepOver(db, last)) - 1 })
    }
  }

  /** So many ids in ascending order, above every generated id and different from every id in the table. */
  async function nextIds(db: SqlConnection, count: number): Promise<number[]> {
    const runs = await db.all(give, { count })
    const length = count / runs.length
    const ids = runs
      .filter(({ last, highest }) => highest === null || highest <= last - length)
      .flatMap(({ last }) => Array.from({ length }, (_, n) => last - length + 1 + n))
    while (ids.length < count) ids.push(await nextId(db))
    return ids.sort((a, b) => a - b)
  }

  /** Generates ids above this one, which is above every generated id. */
  const continueAfter = async (db: SqlConnection, id: number): Promise<void> => void (await db.one(skipTo, { id }))

  return { nextId, nextIds, continueAfter }
}
