import type { Awaitable } from "../flow/awaitable.ts"

/** How many items a whole list has: exactly, or at least. */
export type ListTotal = { count: number; isExact: boolean }

/** Items that are counted at most, so that the work of a request is bounded. */
export const countedMax = 10_000

/** The total of items that were counted up to one more than `max`. */
export const totalOf = (count: number, max: number): ListTotal =>
  count > max ? { count: max, isExact: false } : { count, isExact: true }

/** Adds the total of its list to a page. */
export async function withTotal<P extends object>(
  page: Awaitable<P>,
  total: Awaitable<ListTotal>,
): Promise<P & { total: ListTotal }> {
  const [found, counted] = await Promise.all([page, total])
  return { ...found, total: counted }
}

/** The total that the headers of a response name. */
export const totalIn = (headers: Readonly<Record<string, string>>): ListTotal | undefined =>
  headers["total-count"] === undefined
    ? undefined
    : { count: Number(headers["total-count"]), isExact: headers["preference-applied"] === "count=exact" }

/** Names the total, and how it was counted (RFC 7240 section 3). */
export const totalHeaders = ({ count, isExact }: ListTotal): Record<string, string> => ({
  "total-count": String(count),
  "preference-applied": isExact ? "count=exact" : "count=at-least",
})
