import { fromBase64Url, toBase64Url } from "../json/base64.ts"
import type { TextList } from "../json/kept-text.ts"
import { inParameter, problem } from "../problem.ts"
import type { ListTotal } from "./total.ts"

/** A page of a list in descending order of id, below the id `before`; undefined on the first page. */
export type Page = { limit: number; before: number | undefined }

/** The orders of a list; `-` is descending. Equal names are ordered by id, in the same direction. */
export type Sort = "id" | "-id" | "name" | "-name"

/** The item after which a page starts, in a list of this order. `key` is the sort key of its name. */
export type Cursor = { sort: "id" | "-id"; id: number } | { sort: "name" | "-name"; id: number; key: string }

/** A page of a list with several orders. Order and cursor are optional. */
export type SortedPage<S extends Sort = Sort> = { limit: number; sort: S | undefined; cursor: Cursor | undefined }

/** A page of a list in order of id, after the id `after`; undefined on the first page. */
export type PageById = { limit: number; sort: "id" | "-id"; after: number | undefined }

/** The items of a page, and where the next one starts, if any: below an id, or after an item. */
export type PageOf<T, Next = number> = { items: T[]; next: Next | undefined; total?: ListTotal }

/** A page whose items are already the text of a JSON array. */
export type PageText<Items, Next = number> = TextList<Items> & { next: Next | undefined; total?: ListTotal }

export const mapPage = <T, Shown>({ items, next }: PageOf<T>, show: (item: T) => Shown): PageOf<Shown> => ({
  items: items.map(show),
  next,
})

/** Maximum size of a page in bytes: a page of long items ends before `limit`. One item always fits. */
export const pageBytesMax = 1024 * 1024

/** A page of rows in order of id, of which one more than `limit` was read. Ends earlier where its JSON would exceed `pageBytesMax`. */
export function pageOf<Row extends { id: number }, T>(
  rows: readonly Row[],
  limit: number,
  item: (row: Row) => T,
): PageOf<T> {
  const items: T[] = []
  let bytes = "[".length
  for (const row of rows.slice(0, limit)) {
    const next = item(row)
    bytes += byteLength(typeof next === "string" ? next : JSON.stringify(next)) + ",".length
    if (bytes > pageBytesMax && items.length > 0) break
    items.push(next)
  }
  return { items, next: rows.length > items.length ? rows[items.length - 1]?.id : undefined }
}

const utf8Encoder = new TextEncoder()

const byteLength = (text: string): number => utf8Encoder.encode(text).length

/** The cursor of a page if it is of this order; undefined on the first page. A cursor of another order is refused. */
export const startOf = <S extends Sort>({ cursor }: Pick<SortedPage, "cursor">, sort: S) =>
  cursor === undefined || cursor.sort === sort
    ? (cursor as Extract<Cursor, { sort: S }> | undefined)
    : badCursor("must come from a page in the same order")

/** The cursor of the next page in order of id; undefined when there is none. */
export const cursorAt = (sort: "id" | "-id", id: number | undefined): Cursor | undefined =>
  id === undefined ? undefined : { sort, id }

export const unknownCursor = () => badCursor("must come from the Link of a page")

const badCursor = (detail: string) => problem("invalid-parameter", inParameter("cursor", "wrong-form", detail))

export const pageLimitMax = 1000
export const pageLimitDefault = 100

/** Encodes a cursor as opaque base64url without padding, which needs no escaping in a query. */
export function encodeCursor(cursor: Cursor): string {
  const text = `${words[cursor.sort]}:${cursor.id}`
  // Without a key, the text contains no characters that base64 encodes as + or /.
  return "key" in cursor ? toBase64Url(utf8Encoder.encode(`${text}:${cursor.key}`)) : btoa(text).replaceAll("=", "")
}

/** Decodes a cursor; undefined for any other text. */
export function decodeCursor(text: string): Cursor | undefined {
  const [, word, digits, key] = /^([a-z-]+):(\d+)(?::([^\0]*))?$/.exec(decode(text)) ?? []
  const sort = sorts.find((known) => words[known] === word)
  const id = Number(digits)
  if (sort === undefined || !Number.isSafeInteger(id) || id <= 0) return undefined
  const cursor = sort === "id" || sort === "-id" ? { sort, id } : { sort, id, key: key ?? "" }
  return encodeCursor(cursor) === text ? cursor : undefined
}

const words: Record<Sort, string> = { "-id": "before", id: "after", "-name": "before-name", name: "after-name" }
const sorts = Object.keys(words) as Sort[]

const utf8 = new TextDecoder()

function decode(text: string): string {
  try {
    return utf8.decode(fromBase64Url(text))
  } catch {
    return ""
  }
}
