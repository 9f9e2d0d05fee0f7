// Decision: docs/decisions/storage-postgres.md#read-committed-and-row-locks-not-serializable

import type { Change } from "../domain/ports/store.ts"
import type { Awaitable } from "../kernel/flow/awaitable.ts"
import type { Dialect, ElementKind } from "./dialect.ts"
import type { Damage } from "./hashes/damage.ts"
import type { LabelMemory } from "./pets/label-memory.ts"

type Value = string | number | null | Uint8Array

/** One SQL statement; `In` names the bound values, `Out` the columns of its rows. */
export type Statement<In, Out> = {
  readonly text: (dialect: Dialect) => string
  /** The names of the bound values, in order. */
  readonly names: readonly (keyof In & string)[]
  /** The positions in `names` of lists, bound as JSON arrays. */
  readonly lists: ReadonlySet<number>
  readonly row?: Out
  /** Whether a connection may cache its row until something changes. */
  readonly isHot?: boolean
  /** Where its row is a page of texts. */
  readonly page?: PageOfTexts
}

/** The tables whose texts a connection may keep. */
export type TextTable = "pets" | "orders"

/** The ids of a page, from which a connection that keeps texts makes the same row; without `walk` they are bound as `ids`. */
export type PageOfTexts = { readonly table: TextTable; readonly walk?: Statement<Row, { ids: string | null }> }

/** Values by name; undefined is bound as NULL. */
export type Row = Record<string, Value | undefined>

export type None = Record<never, never>

/** Every statement, for checks that concern all of them. */
export const statements: Statement<Row, unknown>[] = []

/** A connection for statements. A database in this process returns and throws synchronously. */
export type SqlConnection = {
  one<In extends Row, Out>(statement: Statement<In, Out>, values: In): Awaitable<Out | undefined>
  all<In extends Row, Out>(statement: Statement<In, Out>, values: In): Awaitable<Out[]>
  /** Returns the number of changed rows. */
  run<In extends Row>(statement: Statement<In, unknown>, values: In): Awaitable<number>
  /** Discards that number. */
  exec<In extends Row>(statement: Statement<In, unknown>, values: In): Promise<void>
  /** Adds one row and returns its generated id; the statement ends with `returningId`. */
  insert<In extends Row>(statement: Statement<In, unknown>, values: In): Awaitable<number>
  /** Runs a statement with `rowsOf` for these rows, in order. */
  runEach<In extends Row>(statement: Statement<In, unknown>, rows: readonly In[]): Awaitable<unknown>
  /** The same, with `returningId`: returns the ids of the rows that were added, without those in conflict. */
  insertEach<In extends Row>(statement: Statement<In, unknown>, rows: readonly In[]): Awaitable<number[]>
  /** The number of rows over which a frequently changed sum is distributed, to avoid contention. */
  readonly slots: number
  /** Caches ids of names; absent where other connections can change them. */
  readonly labels?: LabelMemory | undefined
  /** The records that were found damaged. */
  readonly damage: Damage
  /** Records a change, for the listeners after the commit. */
  noteChange(change: Change): void
  /**
   * Records that what the text of this row is made of was changed or removed; without an id, of any row. Absent where readers keep
   * no texts.
   */
  noteText?: ((table: TextTable, id?: number) => void) | undefined
}

/** Marks a statement whose row a connection may cache until something changes. */
export function hot<In, Out>(statement: Statement<In, Out>): Statement<In, Out> {
  return Object.assign(statement, { isHot: true })
}

/** Marks a hot statement whose row is a page of texts. */
export const pageOfTexts = <In, Out>(
  table: TextTable,
  statement: Statement<In, Out>,
  walk?: Statement<In, { ids: string | null }>,
): Statement<In, Out> => Object.assign(hot(statement), { page: { table, ...(walk && { walk }) } })

/** A subquery over the JSON array of texts bound under this name. */
export const elements = (name: string): List => ({ elementsOf: name, kind: "texts" })

/** The same for a JSON array of integers. */
export const integers = (name: string): List => ({ elementsOf: name, kind: "integers" })

/** A word of SQL, such as the name of a table. */
export type Word = { word: string }

export const word = (text: string): Word => ({ word: text })

export type Fragment<In> = { strings: readonly string[]; holes: readonly Hole<In>[] }

export const fragment = <In>(strings: TemplateStringsArray, ...holes: Hole<In>[]): Fragment<In> => ({ strings, holes })

export const joined = <In>(pieces: readonly Fragment<In>[], between: string): Fragment<In> => ({
  strings: ["", ...pieces.map((_, n) => (n + 1 < pieces.length ? between : ""))],
  holes: pieces,
})

/** A fragment for each dialect; all bind the same names in the same order. */
export const inDialect = <In>(texts: Record<Dialect["name"], Fragment<In>>) => ({ texts })

type Hole<In> =
  | (keyof In & string)
  | { texts: Record<Dialect["name"], Fragment<In>> }
  | List
  | Word
  | typeof now
  | Fragment<In>

const inPostgres = (text: string) => inDialect<None>({ sqlite: fragment``, postgres: fragment`${word(text)}` })

/** Locks the rows of a SELECT against changes until the transaction ends. SQLite has one writer and needs no lock. */
export const forUpdate = inPostgres("FOR NO KEY UPDATE")

/** The same for those rows that no other transaction has locked; the others are left out. */
export const forUpdateUnlessLocked = inPostgres("FOR NO KEY UPDATE SKIP LOCKED")

/** Locks them against new references too: they may be deleted. */
export const forRemoval = inPostgres("FOR UPDATE")

/** Keeps the rows of a SELECT from being deleted. */
export const forKeyShare = inPostgres("FOR KEY SHARE")

/** Ends an INSERT for `insert`; SQLite returns the id without it. */
export const returningId = inPostgres("RETURNING id")

/**
 * The rows that an INSERT adds, for `runEach` and `insertEach`: SQLite runs it for each of them, PostgreSQL once with a list of
 * values for each column. `last` is the value of one more column.
 */
export function rowsOf<In>(kinds: Readonly<Record<keyof In & string, ElementKind>>, last?: Hole<In>): Hole<In> {
  const names = Object.keys(kinds) as (keyof In & string)[]
  const lists = names.map((name) => fragment<In>`CAST(${name} AS ${word(postgresLists[kinds[name]])})`)
  const more = last === undefined ? fragment<In>`` : fragment<In>`, ${last}`
  return inDialect<In>({
    sqlite: fragment`VALUES (${joined(
      names.map((name) => fragment<In>`${name}`),
      ", ",
    )}${more})`,
    postgres: fragment`SELECT *${more} FROM unnest(${joined(lists, ", ")}) AS list`,
  })
}

const postgresLists: Record<ElementKind, string> = { texts: "TEXT[]", integers: "BIGINT[]" }

/** The database's clock, in milliseconds since the epoch. */
export const now = Symbol("now")

/**
 * Writes a statement for every dialect. A hole is the name of a bound value or one of the fragments above: `` sql<{ id:
 * number }, { json: string }>`SELECT json FROM pets WHERE id = ${"id"}` ``.
 */
export function sql<In extends Row, Out = never>(
  strings: TemplateStringsArray,
  ...holes: Hole<In>[]
): Statement<In, Out> {
  const bound = boundIn(holes)
  const names = bound.map(nameOf)
  const lists = new Set(bound.keys().filter((n) => typeof bound[n] === "object"))
  const text = (dialect: Dialect) => {
    let bound = 0
    const fill = (hole: Hole<In>): string => {
      if (hole === now) return dialect.now
      if (typeof hole === "object" && "texts" in hole) return join(hole.texts[dialect.name])
      if (typeof hole === "object" && "word" in hole) return hole.word
      if (typeof hole === "object" && "strings" in hole) return join(hole)
      const placeholder = dialect.placeholder(++bound)
      return typeof hole === "object" ? dialect.elements(placeholder, hole.kind) : placeholder
    }
    const join = ({ strings, holes }: Fragment<In>): string =>
      strings.reduce((before, after, n) => {
        const hole = holes[n - 1] as Hole<In>
        if (typeof hole !== "string" || !before.endsWith("LIMIT ")) return before + fill(hole) + after
        return before.slice(0, -"LIMIT ".length) + dialect.limit(fill(hole)) + after
      })
    return join({ strings, holes })
  }
  const statement = { text, names, lists }
  statements.push(statement)
  return statement
}

/** A JSON array bound under the name `elementsOf`, and what its elements are. */
type List = { elementsOf: string; kind: ElementKind }

/** The holes with bound values, in text order. */
const boundIn = <In>(holes: readonly Hole<In>[]): ((keyof In & string) | List)[] =>
  holes.flatMap((hole) => {
    if (typeof hole === "string") return [hole]
    if (hole === now || "word" in hole) return []
    if ("texts" in hole) return boundIn(hole.texts.sqlite.holes)
    return "strings" in hole ? boundIn(hole.holes) : [hole]
  })

const nameOf = <Name extends string>(hole: Name | List): Name =>
  typeof hole === "object" ? (hole.elementsOf as Name) : hole
