import type { Problem } from "../../kernel/problem.ts"

/**
 * Counts each item of a body after the first as a further request: `take` returns the problem of a plan that is used up, which
 * replaces the item.
 */
export async function countItems(items: readonly unknown[], take: () => Promise<Problem | undefined>) {
  const [, ...further] = items
  const outcomes = [undefined, ...(await Promise.all(further.map(take)))]
  return items.map((item, n) => outcomes[n] ?? item)
}
