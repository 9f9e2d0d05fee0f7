import assert from "node:assert/strict"
import { test } from "node:test"
import type { Dialect } from "./dialect.ts"
import {
  elements,
  forUpdate,
  fragment,
  hot,
  inDialect,
  integers,
  joined,
  now,
  type Row,
  returningId,
  rowsOf,
  type Statement,
  sql,
  statements,
  word,
} from "./statement.ts"

const dialect = (name: Dialect["name"]) =>
  ({
    name,
    placeholder: (n) => (name === "sqlite" ? "?" : `$${n}`),
    elements: (placeholder, kind) => `each ${kind} of ${placeholder}`,
    now: "the time",
  }) as Partial<Dialect> as Dialect

/** Both texts of a statement, its names, and those of them that are lists. */
function written<In extends Row>(statement: Statement<In, unknown>) {
  statements.splice(statements.indexOf(statement as Statement<Row, unknown>), 1)
  const [sqlite, postgres] = [statement.text(dialect("sqlite")), statement.text(dialect("postgres"))]
  return { sqlite, postgres, names: statement.names, lists: statement.names.filter((_, n) => statement.lists.has(n)) }
}

test("a statement binds its values in the order of its text, and has the words of its database", () => {
  type In = { id: number; names: string; ids: string }
  const inner = fragment<In>`x IN (${elements("names")})`
  const statement = sql<In>`A ${"id"} ${word("t")} ${inner} ${now} ${integers("ids")} ${"id"} ${forUpdate} ${returningId}`
  assert.ok(statements.includes(statement as unknown as Statement<Row, unknown>))
  assert.deepEqual(written(statement), {
    sqlite: "A ? t x IN (each texts of ?) the time each integers of ? ?  ",
    postgres: "A $1 t x IN (each texts of $2) the time each integers of $3 $4 FOR NO KEY UPDATE RETURNING id",
    names: ["id", "names", "ids", "id"],
    lists: ["names", "ids"],
  })
})

test("fragments are joined with a text between them", () => {
  const one = fragment<{ a: number }>`one = ${"a"}`
  const join = (...pieces: (typeof one)[]) => written(sql<{ a: number }>`(${joined(pieces, " OR ")})`).postgres
  assert.deepEqual([join(), join(one), join(one, one, one)], ["()", "(one = $1)", "(one = $1 OR one = $2 OR one = $3)"])
})

test("each database has its own text with the same values", () => {
  type In = { a: number; b: number }
  const own = inDialect<In>({ sqlite: fragment`s ${"a"} ${"b"}`, postgres: fragment`p ${"a"} and ${"b"}` })
  assert.deepEqual(written(sql<In>`${own} ${"a"}`), {
    sqlite: "s ? ? ?",
    postgres: "p $1 and $2 $3",
    names: ["a", "b", "a"],
    lists: [],
  })
})

test("rows are bound one by one, or as a list of each column", () => {
  type In = { name: string; id: number }
  const kinds = { name: "texts", id: "integers" } as const
  assert.deepEqual(written(sql<In>`INSERT ${rowsOf<In>(kinds)}`), {
    sqlite: "INSERT VALUES (?, ?)",
    postgres: "INSERT SELECT * FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS BIGINT[])) AS list",
    names: ["name", "id"],
    lists: [],
  })
  const more = written(sql<In>`INSERT ${rowsOf<In>(kinds, word("7"))}`)
  assert.equal(more.sqlite, "INSERT VALUES (?, ?, 7)")
  assert.equal(more.postgres, "INSERT SELECT *, 7 FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS BIGINT[])) AS list")
})

test("only a statement that is marked may be cached", () => {
  const statement = sql<{ id: number }>`A ${"id"}`
  assert.equal(statement.isHot, undefined)
  assert.equal(hot(statement).isHot, true)
  written(statement)
})
