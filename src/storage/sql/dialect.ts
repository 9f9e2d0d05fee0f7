/** What a list bound to a statement holds. */
export type ElementKind = "texts" | "integers"

/** What SQLite and PostgreSQL write differently. Everything else is written once. */
export type Dialect = {
  name: "sqlite" | "postgres"
  /** The placeholder of the n-th value bound to a statement, counted from 1. */
  placeholder(n: number): string
  /** A column type for an integer primary key that counts up by itself. */
  generatedId: string
  /** A column type for 64-bit integers. */
  integer: string
  /** What follows the closing parenthesis of CREATE TABLE. */
  tableOptions: string
  /** The same for a table that is kept in the order of its primary key, where the database can. */
  clustered: string
  /** In how many rows a number that many transactions change is kept. */
  slots: number
  /** A subquery that yields the elements of a list as `value`. */
  elements(placeholder: string, kind: ElementKind): string
  /** Milliseconds since the epoch by the database's own clock. */
  now: string
  /** A column type for text that is sorted by code points. */
  textByCodePoint: string
  /** What the name in a column of pets' JSON text is sorted by, as `nameKey` has it; for migrations only. */
  nameKey(column: string): string
  /** The integer at this place in a column of JSON text, or NULL; for migrations only. */
  jsonInteger(column: string, path: readonly string[]): string
}
