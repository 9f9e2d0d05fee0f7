import type { Change } from "../../domain/ports.ts"
import type { Awaitable } from "../../kernel/awaitable.ts"
import type { Dialect } from "./dialect.ts"
import type { LabelMemory } from "./label-memory.ts"

type Value = string | number | null | Uint8Array

/** One SQL statement; `In` names the values it binds, `Out` the columns of a row it returns. */
export type Statement<In, Out> = {
  readonly text: (dialect: Dialect) => string
  /** The names of the bound values, in the order they are bound. */
  readonly names: readonly (keyof In & string)[]
  readonly row?: Out
  /** Whether its row is asked for so often that a connection may keep it for as long as nothing changes. */
  readonly isHot?: boolean
}

/** Values by name. */
export type Row = Record<string, Value>

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
  /** Adds one row and returns the id it was given; the statement ends with `returningId`. */
  insert<In extends Row>(statement: Statement<In, unknown>, values: In): Awaitable<number>
  /** Ids of names this connection has seen; absent where somebody else may change them. */
  readonly labels?: LabelMemory | undefined
  /** Notes what the transaction has changed, for those who are told after its commit. */
  noteChange(change: Change): void
}

/** A statement whose row a connection may keep for as long as nothing changes. */
export function hot<In, Out>(statement: Statement<In, Out>): Statement<In, Out> {
  return Object.assign(statement, { isHot: true })
}

/** The elements of a JSON array bound under this name, as a subquery. */
export const elements = (name: string) => ({ elementsOf: name })

/** A word of SQL, such as the name of a table, for statements that are the same but for it. */
export const word = (text: string) => ({ word: text })

/** A piece of a statement with holes of its own, for statements that share it or are the same but for it. */
export type Part<In> = { strings: readonly string[]; holes: readonly Hole<In>[] }

export const part = <In>(strings: TemplateStringsArray, ...holes: Hole<In>[]): Part<In> => ({ strings, holes })

type Hole<In> =
  | (keyof In & string)
  | ReturnType<typeof elements>
  | ReturnType<typeof word>
  | typeof forUpdate
  | typeof forKeyShare
  | typeof returningId
  | Part<In>

/** Holds the rows a SELECT found until the transaction ends, where the database needs to be told. */
export const forUpdate = Symbol("FOR UPDATE")

/** Keeps the rows a SELECT found from being deleted, where the database needs to be told. */
export const forKeyShare = Symbol("FOR KEY SHARE")

/** Ends an INSERT that is run by `insert`. */
export const returningId = Symbol("RETURNING id")

/**
 * Writes a statement once for every dialect. A hole is the name of a bound value, or one of the pieces above:
 * `` sql<{ id: number }, { json: string }>`SELECT json FROM pets WHERE id = ${"id"}` ``.
 */
export function sql<In extends Row, Out = never>(
  strings: TemplateStringsArray,
  ...holes: Hole<In>[]
): Statement<In, Out> {
  const names = namesIn(holes)
  const text = (dialect: Dialect) => {
    let bound = 0
    const fill = (hole: Hole<In>): string => {
      if (hole === forUpdate) return dialect.forUpdate
      if (hole === forKeyShare) return dialect.forKeyShare
      if (hole === returningId) return dialect.returningId
      if (typeof hole === "object" && "word" in hole) return hole.word
      if (typeof hole === "object" && "strings" in hole) return join(hole.strings, hole.holes)
      const placeholder = dialect.placeholder(++bound)
      return typeof hole === "object" ? dialect.elements(placeholder) : placeholder
    }
    const join = (strings: readonly string[], holes: readonly Hole<In>[]): string =>
      strings.reduce((before, after, n) => before + fill(holes[n - 1] as Hole<In>) + after)
    return join(strings, holes)
  }
  const statement = { text, names }
  statements.push(statement)
  return statement
}

/** The names of bound values, in the order they stand in the text. */
const namesIn = <In>(holes: readonly Hole<In>[]): (keyof In & string)[] =>
  holes.flatMap((hole) => {
    if (typeof hole === "string") return [hole]
    if (typeof hole === "symbol" || "word" in hole) return []
    return "strings" in hole ? namesIn(hole.holes) : [hole.elementsOf as keyof In & string]
  })
