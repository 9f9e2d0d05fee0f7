import { type Page, type PageOf, pageOf } from "../kernel/endpoint/page.ts"
import { type Awaitable, andThen } from "../kernel/flow/awaitable.ts"
import { idMax } from "../kernel/schema/schema.ts"
import type { Row, SqlConnection, Statement } from "./statement.ts"

/** The row of a statement that always returns one. */
export const theRow = async <In extends Row, Out>(
  db: SqlConnection,
  statement: Statement<In, Out>,
  values: In,
): Promise<Out> => (await db.one(statement, values)) as Out

/** The row of a statement, mapped by `item`; undefined when there is none. */
export const readOne = <In extends Row, Found extends object, T>(
  db: SqlConnection,
  statement: Statement<In, Found>,
  values: In,
  item: (row: Found) => T,
): Awaitable<T | undefined> => andThen(item, db.one(statement, values), (item, row) => row && item(row))

/** The values of a page: the id it starts below, and one row more than its limit. */
export type PageRow = { before: number; limit: number }

/** A page of rows in descending order of id, mapped by `item`. */
export async function readPage<In extends Row, Found extends { id: number }, T>(
  db: SqlConnection,
  statement: Statement<In & PageRow, Found>,
  values: In,
  { before = idMax + 1, limit }: Page,
  item: (row: Found) => T,
): Promise<PageOf<T>> {
  return pageOf(await db.all(statement, { ...values, before, limit: limit + 1 }), limit, item)
}

/** A row as stored: NULL for undefined. */
export type Stored<T> = { [Name in keyof T]-?: Exclude<T[Name], undefined> | Absent<T[Name]> }
type Absent<T> = undefined extends T ? null : never

export function withoutNulls<T extends object>(row: Stored<T>): T {
  const found: Record<string, unknown> = { ...row }
  for (const name in found) if (found[name] === null) found[name] = undefined
  return found as T
}
