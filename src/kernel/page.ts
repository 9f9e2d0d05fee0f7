/** One page of a list in descending order of id. `before` is the id the page starts below; absent on the first page. */
export type Page = { limit: number; before: number | undefined }

/** What one page holds, and where the next one starts when there is more. */
export type PageOf<T> = { items: T[]; next: number | undefined }

/** The page made of rows found in descending order of id, each as `item` has it, when one more than `limit` was asked for. */
export function pageOf<Row extends { id: number }, T>(
  rows: readonly Row[],
  limit: number,
  item: (row: Row) => T,
): PageOf<T> {
  const here = rows.slice(0, limit)
  return { items: here.map(item), next: rows.length > limit ? here.at(-1)?.id : undefined }
}

export const pageLimitMax = 1000
export const pageLimitDefault = 100

const prefix = "before:"

/** The opaque cursor that stands for "the items with an id below this one". */
export const encodeCursor = (before: number): string => btoa(prefix + before).replaceAll("=", "")

/** The id in a cursor made by `encodeCursor`, or undefined for any other text. */
export function decodeCursor(cursor: string): number | undefined {
  if (!/^[A-Za-z0-9+/]{1,64}$/.test(cursor) || cursor.length % 4 === 1) return undefined
  const text = atob(cursor)
  const before = Number(text.slice(prefix.length))
  return Number.isSafeInteger(before) && before > 0 && encodeCursor(before) === cursor ? before : undefined
}
