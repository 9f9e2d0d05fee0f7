import type { HashedText } from "../../domain/ports/hashes.ts"
import { fragment, joined, type Row, type SqlConnection, sql, word } from "../statement.ts"
import type { HashedTable } from "./tables.ts"

/** Replaces what the hash of a record is of, and the hash. */
export type Replace = (db: SqlConnection, id: number, text: HashedText) => Promise<void>

export function replacementIn({ name, hash, columns, list, restored }: HashedTable): Replace {
  const replaced = joined<Row>(
    [...(columns ?? ["json"]), hash].map((column) => fragment<Row>`${word(column)} = ${column}`),
    ", ",
  )
  const put = sql<Row>`UPDATE ${word(name)} SET ${replaced} WHERE id = ${"id"}`
  const putList = list && replacementOf(list)
  const end = restored === undefined ? undefined : sql<{ id: number }>`${word(restored)} ${"id"}`
  return async (db, id, { json, hash: hashValue }) => {
    if (!columns) return db.exec(put, { id, json, [hash]: hashValue })
    const [, ...values] = JSON.parse(json)
    await db.run(put, { id, ...Object.fromEntries(columns.map((column, n) => [column, values[n]])), [hash]: hashValue })
    await putList?.(db, id, values.at(-1))
    if (end) await db.run(end, { id })
  }
}

function replacementOf({ table, owner, column }: NonNullable<HashedTable["list"]>) {
  const [rows, ownerId] = [word(table), word(owner)]
  const clear = sql<{ id: number }>`DELETE FROM ${rows} WHERE ${ownerId} = ${"id"}`
  const add = sql<{ id: number; value: string }>`
    INSERT INTO ${rows} (${ownerId}, ${word(column)}) VALUES (${"id"}, ${"value"})`
  return async (db: SqlConnection, id: number, values: string | null) => {
    await db.run(clear, { id })
    for (const value of values?.split(" ") ?? []) await db.run(add, { id, value })
  }
}
