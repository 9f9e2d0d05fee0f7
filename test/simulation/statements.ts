import type { DatabaseSync, StatementSync } from "node:sqlite"
import { statements } from "../../src/core/sql/statement.ts"
import "../../src/core/sql/store.ts"
import { sqliteDialect } from "../../src/core/sqlite/dialect.ts"
import { postgresDialect } from "../../src/parts/replicas/postgres/dialect.ts"
import type { Reply, Table, WireValue } from "./wire.ts"

type Value = string | number | Uint8Array | null
type Result = { names: string[]; rows: Table["rows"]; changes: number }

/** The texts of our statements for PostgreSQL, and as they are in a query for several values, with what they are for SQLite. */
const texts = new Map(
  statements.flatMap(({ text, lists }) => {
    const inSqlite = { text: text(sqliteDialect), lists }
    const batched = text({ ...postgresDialect, placeholder: () => "input.value" })
    return [text(postgresDialect), batched].map((inPostgres) => [inPostgres, inSqlite] as const)
  }),
)

/** Returns what runs a statement that is written for PostgreSQL on SQLite; `skips` says that all webhooks are locked. */
export function createRunner(db: DatabaseSync): (text: string, values: readonly WireValue[], skips: boolean) => Reply {
  const prepared = new Map<string, StatementSync>()

  function prepare(text: string): StatementSync {
    const ready = prepared.get(text) ?? db.prepare(text)
    prepared.set(text, ready)
    return ready
  }

  /** `idName` is the column in which the statement for PostgreSQL returns the id of a row that it adds. */
  function runOnce(ready: StatementSync, values: readonly Value[], returnsId: boolean): Result {
    const names = ready.columns().map(({ name }) => name)
    if (names.length > 0) {
      const rows = ready.all(...values)
      return { names, rows, changes: rows.length }
    }
    const { changes, lastInsertRowid } = ready.run(...values)
    if (!returnsId) return { names, rows: [], changes: Number(changes) }
    return { names: ["id"], rows: changes ? [{ id: Number(lastInsertRowid) }] : [], changes: Number(changes) }
  }

  return (text, values, skips) => {
    const [, batched = text] = /CROSS JOIN LATERAL \(([\s\S]*)\) AS found$/.exec(text) ?? []
    const known = texts.get(batched)
    if (known === undefined) throw new Error(`a statement that the simulation does not know: ${text}`)
    const ready = prepare(
      skips ? known.text.replace(/FROM webhooks\b/, "FROM (SELECT * FROM webhooks LIMIT 0)") : known.text,
    )
    const returnsId = /RETURNING id\s*$/.test(text)
    if (batched !== text) {
      const found = listOf(values[0]).map((value) => runOnce(ready, [value], false))
      const rows = found.flatMap(({ rows }, n) => rows.map((row) => ({ n: n + 1, ...row })))
      return toReply(text, { names: ["n", ...(found[0]?.names ?? [])], rows, changes: rows.length })
    }
    if (known.lists.size > 0 || !/FROM unnest\(.*\) AS list/s.test(text)) {
      const bound = values.map((value, n) => (known.lists.has(n) ? JSON.stringify(listOf(value)) : toValue(value)))
      return toReply(text, runOnce(ready, bound, returnsId))
    }
    const columns = values.map(listOf)
    const results = (columns[0] ?? []).map((_, n) =>
      runOnce(
        ready,
        columns.map((column) => column[n] ?? null),
        returnsId,
      ),
    )
    return toReply(text, {
      names: results[0]?.names ?? [],
      rows: results.flatMap(({ rows }) => rows),
      changes: results.reduce((sum, { changes }) => sum + changes, 0),
    })
  }
}

function toReply(text: string, { names, rows, changes }: Result): Reply {
  const tag = `${/\w+/.exec(text)?.[0]} ${changes}`
  return names.length > 0 ? { tag, table: { names, rows } } : { tag }
}

/** The elements of an array literal as the driver writes it: each quoted, or NULL. */
const listOf = (literal: WireValue | undefined): Value[] =>
  Array.from(String(literal).matchAll(/NULL|"((?:[^"\\]|\\.)*)"/gs), ([, element]) =>
    toValue(element?.replace(/\\(.)/gs, "$1") ?? null),
  )

/** The protocol has numbers as texts. A column of SQLite converts them to its type, an expression does not. */
const toValue = (value: WireValue): Value =>
  typeof value === "string" && Number.isSafeInteger(Number(value)) && String(Number(value)) === value
    ? Number(value)
    : value
