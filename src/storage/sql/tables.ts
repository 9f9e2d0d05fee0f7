import type { Dialect } from "./dialect.ts"

/** What a column holds; integers are never rounded. */
export type Value = string | bigint | null

/** A table as every database has it; a row is its values in the order of the columns. */
export type Table = {
  name: string
  columns: readonly { name: string; isInteger: boolean }[]
  /** The columns of its primary key. */
  key: readonly string[]
  /** Whether `id` counts up by itself, above every one given before. */
  hasGeneratedId: boolean
}

/** A database whose tables are read and written as they are, without knowing what they mean. */
export type RawDatabase = {
  readonly dialect: Dialect
  /** Sends one statement; resolves with the rows it returns. */
  query(text: string, values?: readonly Value[]): Promise<Value[][]>
  /** Does the work in one transaction. */
  transaction(work: () => Promise<void>): Promise<void>
}

/** Up to `limit` rows after this key, in the order of the primary key; from the beginning without one. */
export function readRows(
  { query, dialect }: RawDatabase,
  { name, columns, key }: Table,
  after: readonly Value[] | undefined,
  limit: number,
): Promise<Value[][]> {
  const keys = key.map(quote).join(", ")
  const place = `(${keys}) > (${key.map((_, n) => dialect.placeholder(n + 1)).join(", ")})`
  const all = columns.map((column) => quote(column.name)).join(", ")
  const rest = `${after ? `WHERE ${place}` : ""} ORDER BY ${keys} LIMIT ${limit}`
  return query(`SELECT ${all} FROM ${quote(name)} ${rest}`, after)
}

/** Values bound to one statement at most; PostgreSQL takes 65,535, SQLite half of that. */
const boundMax = 20_000

/** Adds rows, many with one statement. */
export async function addRows(
  { query, dialect }: RawDatabase,
  { name, columns }: Table,
  rows: Value[][],
): Promise<void> {
  const names = columns.map((column) => quote(column.name)).join(", ")
  const rowsMax = Math.floor(boundMax / columns.length)
  for (let first = 0; first < rows.length; first += rowsMax) {
    const some = rows.slice(first, first + rowsMax)
    let bound = 0
    const tuples = some.map((row) => `(${row.map(() => dialect.placeholder(++bound)).join(", ")})`)
    await query(`INSERT INTO ${quote(name)} (${names}) VALUES ${tuples.join(", ")}`, some.flat())
  }
}

/** The values of a row's primary key. */
export const keyOf = ({ columns, key }: Table, row: readonly Value[]): Value[] =>
  key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? null)

/** Names come from our own migrations. */
export const quote = (name: string): string => `"${name}"`
