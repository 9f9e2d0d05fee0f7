import type { Dialect } from "./dialect.ts"

/** A value of a column; integers are never rounded. */
export type Value = string | bigint | null

/** A table in any database; a row holds its values in column order. */
export type Table = {
  name: string
  columns: readonly { name: string; isInteger: boolean }[]
  /** The columns of the primary key. */
  key: readonly string[]
  hasGeneratedId: boolean
}

/** A database whose tables are read and written without knowing their meaning. */
export type RawDatabase = {
  readonly dialect: Dialect
  query(text: string, values?: readonly Value[]): Promise<Value[][]>
  transaction(work: () => Promise<void>): Promise<void>
}

/** Up to `limit` rows after this key, ordered by primary key; without a key, the first rows. */
export function readRows(
  { query, dialect }: RawDatabase,
  { name, columns, key }: Table,
  after: readonly Value[] | undefined,
  limit: number,
): Promise<Value[][]> {
  const keys = key.map(quote).join(", ")
  const condition = `(${keys}) > (${key.map((_, n) => dialect.placeholder(n + 1)).join(", ")})`
  const all = columns.map((column) => quote(column.name)).join(", ")
  const rest = `${after ? `WHERE ${condition}` : ""} ORDER BY ${keys} LIMIT ${limit}`
  return query(`SELECT ${all} FROM ${quote(name)} ${rest}`, after)
}

/** Maximum bound values of a statement; PostgreSQL allows 65,535, SQLite half of that. */
const boundMax = 20_000

export async function addRows({ query, dialect }: RawDatabase, { name, columns }: Table, rows: Value[][]) {
  const names = columns.map((column) => quote(column.name)).join(", ")
  const rowsMax = Math.floor(boundMax / columns.length)
  for (let first = 0; first < rows.length; first += rowsMax) {
    const some = rows.slice(first, first + rowsMax)
    let bound = 0
    const tuples = some.map((row) => `(${row.map(() => dialect.placeholder(++bound)).join(", ")})`)
    await query(`INSERT INTO ${quote(name)} (${names}) VALUES ${tuples.join(", ")}`, some.flat())
  }
}

export const keyOf = ({ columns, key }: Table, row: readonly Value[]): Value[] =>
  key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? null)

/** Names come from our own migrations. */
export const quote = (name: string): string => `"${name}"`
