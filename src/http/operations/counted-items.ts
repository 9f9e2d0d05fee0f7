import type { Problem } from "../../kernel/problem.ts"

/**
 * Counts each item of a body after the first as a further request: `take` returns the problem of a plan that is used up, which
 * replaces the item. Counts at the first call only, because a transaction may run twice.
 */
export function countedItems(items: readonly unknown[], take: () => Promise<Problem | undefined>) {
  let counting: Promise<unknown[]> | undefined

  async function count(): Promise<unknown[]> {
    const [, ...further] = items
    const outcomes = [undefined, ...(await Promise.all(further.map(take)))]
    return items.map((item, n) => outcomes[n] ?? item)
  }

  return (): Promise<unknown[]> => {
    counting ??= count()
    return counting
  }
}
