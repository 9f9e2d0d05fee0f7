import type { HashedKind } from "../../domain/ports/hashes.ts"
import { type Fragment, fragment, inDialect, joined, type None, word } from "../statement.ts"
import { requireIntact } from "./hash-of.ts"
import { type HashedTable, hashedTables } from "./tables.ts"

/** What the hash of a record is of: its text, or an array of JSON, which each database writes in its own form. */
export const textIn = (table: HashedTable): Fragment<None> =>
  table.columns ? arrayOf(valuesOf(table, table.columns)) : fragment`json`

/** The text that the hash is of, in the same form from every database. */
export const textOf = (table: HashedTable, found: string): string =>
  table.columns ? JSON.stringify(JSON.parse(found)) : found

/** The hash of a record that is read, and what that is of, as one column for `requireIntactColumns`. */
export function hashedIn(kind: HashedKind): Fragment<None> {
  const table = hashedTables[kind]
  return arrayOf([fragment`${word(`${table.name}.${table.hash}`)}`, ...valuesOf(table, table.columns ?? [])])
}

/** Throws DamagedRecord for a record whose columns do not have their hash; returns the values of its list. */
export function requireIntactColumns(kind: HashedKind, hashed: string): string[] {
  const [hash, ...values] = JSON.parse(hashed)
  if (hash !== null) requireIntact(kind, { id: values[0], json: JSON.stringify(values), hash })
  return hashedTables[kind].list ? (values.at(-1)?.split(" ") ?? []) : []
}

function valuesOf({ name, list }: HashedTable, columns: readonly string[]): Fragment<None>[] {
  const values = ["id", ...columns].map((column) => fragment<None>`${word(`${name}.${column}`)}`)
  return list ? [...values, listIn(name, list)] : values
}

/** The values of a list, separated by spaces, in an order that does not depend on the language of the database. */
function listIn(name: string, { table, owner, column }: NonNullable<HashedTable["list"]>): Fragment<None> {
  const byCodePoint = inDialect<None>({ sqlite: fragment``, postgres: fragment`COLLATE "C"` })
  return fragment`(
    SELECT string_agg(${word(column)}, ' ' ORDER BY ${word(column)} ${byCodePoint})
    FROM ${word(table)} WHERE ${word(owner)} = ${word(name)}.id)`
}

function arrayOf(values: readonly Fragment<None>[]): Fragment<None> {
  const all = joined(values, ", ")
  return fragment`${inDialect<None>({
    sqlite: fragment`json_array(${all})`,
    postgres: fragment`CAST(json_build_array(${all}) AS TEXT)`,
  })}`
}
