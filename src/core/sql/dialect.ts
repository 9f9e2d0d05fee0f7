/** The elements of a list bound to a statement. */
export type ElementKind = "texts" | "integers"

/** The differences between SQLite and PostgreSQL. */
export type Dialect = {
  name: "sqlite" | "postgres"
  /** The placeholder of the n-th bound value, counted from 1. */
  placeholder(n: number): string
  /** A LIMIT of this placeholder. */
  limit(placeholder: string): string
  /** A column type for a generated integer primary key. */
  generatedId: string
  /** A column type for 64-bit integers. */
  integer: string
  /** The end of a CREATE TABLE statement. */
  tableOptions: string
  /** The same for a table ordered by its primary key, where the database supports it. */
  clustered: string
  /** The number of rows over which a frequently changed sum is distributed. */
  slots: number
  /** A subquery that yields the elements of a list as `value`. */
  elements(placeholder: string, kind: ElementKind): string
  /** Milliseconds since the epoch by the database's clock. */
  now: string
  /** A column type for text sorted by code points. */
  textByCodePoint: string
  /** `nameKey` of the name in a column of pets' JSON; for migrations only. */
  nameKey(column: string): string
  /** The integer at this path in a column of JSON, or NULL; for migrations only. */
  jsonInteger(column: string, path: readonly string[]): string
}
