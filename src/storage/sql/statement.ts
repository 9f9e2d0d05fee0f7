import type { Change } from "../../domain/ports/store.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { Dialect, ElementKind } from "./dialect.ts"
import type { LabelMemory } from "./pets/label-memory.ts"

type Value = string | number | null | Uint8Array

/** One SQL statement; `In` names the values it binds, `Out` the columns of a row it returns. */
export type Statement<In, Out> = {
  readonly text: (dialect: Dialect) => string
  /** The names of the bound values, in the order they are bound. */
  readonly names: readonly (keyof In & string)[]
  /** Which of them are lists, bound as the JSON text of an array; by their place in `names`. */
  readonly lists: ReadonlySet<number>
  readonly row?: Out
  /** Whether its row is asked for so often that a connection may keep it for as long as nothing changes. */
  readonly isHot?: boolean
}

/** Values by name; undefined is bound as NULL. */
export type Row = Record<string, Value | undefined>

/** No values at all. */
export type None = Record<never, never>

/** Every statement there is, for checks that concern all of them. */
export const statements: Statement<Row, unknown>[] = []

/** A connection as the statements see it. A database in the process returns at once, and throws at once when it cannot. */
export type Connection = {
  /** The first row, or undefined. */
  one<In extends Row, Out>(statement: Statement<In, Out>, values: In): Awaitable<Out | undefined>
  /** Every row. */
  all<In extends Row, Out>(statement: Statement<In, Out>, values: In): Awaitable<Out[]>
  /** Returns how many rows were changed. */
  run<In extends Row>(statement: Statement<In, unknown>, values: In): Awaitable<number>
  /** The same where the number does not matter. */
  exec<In extends Row>(statement: Statement<In, unknown>, values: In): Promise<void>
  /** Adds one row and returns the id it was given; the statement ends with `returningId`. */
  insert<In extends Row>(statement: Statement<In, unknown>, values: In): Awaitable<number>
  /** In how many rows a number that many change is kept, so that they do not wait for each other; it is their sum. */
  readonly slots: number
  /** Ids of names this connection has seen; absent where somebody else may change them. */
  readonly labels?: LabelMemory | undefined
  /** Deletes every row but what belongs to the database and to processes that run; ids begin at 1 again. In a transaction. */
  empty(): Awaitable<void>
  /** Notes what the transaction has changed, for those who are told after its commit. */
  noteChange(change: Change): void
}

/** A statement whose row a connection may keep for as long as nothing changes. */
export function hot<In, Out>(statement: Statement<In, Out>): Statement<In, Out> {
  return Object.assign(statement, { isHot: true })
}

/** The elements of a JSON array of texts bound under this name, as a subquery. */
export const elements = (name: string) => ({ elementsOf: name, kind: "texts" as ElementKind })

/** The same for a JSON array of integers. */
export const integers = (name: string) => ({ elementsOf: name, kind: "integers" as ElementKind })

/** A word of SQL, such as the name of a table, for statements that are the same but for it. */
export const word = (text: string) => ({ word: text })

/** A piece of a statement with holes of its own, for statements that share it or are the same but for it. */
export type Part<In> = { strings: readonly string[]; holes: readonly Hole<In>[] }

export const part = <In>(strings: TemplateStringsArray, ...holes: Hole<In>[]): Part<In> => ({ strings, holes })

/** Several pieces, one after the other, with this text between two of them. */
export const joined = <In>(pieces: readonly Part<In>[], between: string): Part<In> => ({
  strings: ["", ...pieces.map((_, n) => (n + 1 < pieces.length ? between : ""))],
  holes: pieces,
})

/** What the dialects say so differently that each has a text of its own; the same names are bound in the same order. */
export const inDialect = <In>(texts: Record<Dialect["name"], Part<In>>) => ({ texts })

type Hole<In> =
  | (keyof In & string)
  | { texts: Record<Dialect["name"], Part<In>> }
  | ReturnType<typeof elements>
  | ReturnType<typeof word>
  | typeof now
  | Part<In>

const inPostgres = (text: string) =>
  inDialect<None>({ sqlite: { strings: [""], holes: [] }, postgres: { strings: [text], holes: [] } })

/**
 * Holds the rows a SELECT found against being changed until the transaction ends. SQLite has one writer and needs no lock.
 * PostgreSQL has a stronger one, which also keeps others from adding rows that refer to these: `forRemoval`.
 */
export const forUpdate = inPostgres("FOR NO KEY UPDATE")

/** Holds them against being referred to as well, for rows that may be deleted. */
export const forRemoval = inPostgres("FOR UPDATE")

/** Keeps the rows a SELECT found from being deleted. */
export const forKeyShare = inPostgres("FOR KEY SHARE")

/** Ends an INSERT that is run by `insert`; SQLite returns the id without being asked. */
export const returningId = inPostgres("RETURNING id")

/** The time by the database's own clock, in milliseconds since the epoch. */
export const now = Symbol("now")

/**
 * Writes a statement once for every dialect. A hole is the name of a bound value, or one of the pieces above:
 * `` sql<{ id: number }, { json: string }>`SELECT json FROM pets WHERE id = ${"id"}` ``.
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
      if (typeof hole === "object" && "texts" in hole) return fillPart(hole.texts[dialect.name])
      if (typeof hole === "object" && "word" in hole) return hole.word
      if (typeof hole === "object" && "strings" in hole) return fillPart(hole)
      const placeholder = dialect.placeholder(++bound)
      return typeof hole === "object" ? dialect.elements(placeholder, hole.kind) : placeholder
    }
    const fillPart = ({ strings, holes }: Part<In>): string => join(strings, holes)
    const join = (strings: readonly string[], holes: readonly Hole<In>[]): string =>
      strings.reduce((before, after, n) => before + fill(holes[n - 1] as Hole<In>) + after)
    return join(strings, holes)
  }
  const statement = { text, names, lists }
  statements.push(statement)
  return statement
}

type List = ReturnType<typeof elements>

/** The holes that values are bound to, in the order they stand in the text. */
const boundIn = <In>(holes: readonly Hole<In>[]): ((keyof In & string) | List)[] =>
  holes.flatMap((hole) => {
    if (typeof hole === "string") return [hole]
    if (hole === now || "word" in hole) return []
    if ("texts" in hole) return boundIn(hole.texts.sqlite.holes)
    return "strings" in hole ? boundIn(hole.holes) : [hole]
  })

const nameOf = <Name extends string>(hole: Name | List): Name =>
  typeof hole === "object" ? (hole.elementsOf as Name) : hole
