import type { Awaitable } from "./awaitable.ts"

/**
 * Starts all work in order and waits for all of it, also when some fails: in a transaction, nothing may go on after its end. Throws
 * the first error.
 */
export async function together<T extends readonly unknown[] | []>(
  work: {
    readonly [N in keyof T]: () => Awaitable<T[N]>
  },
): Promise<T> {
  const settled = await Promise.allSettled(work.map(async (start) => start()))
  const results: readonly unknown[] = settled.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason
    return outcome.value
  })
  return results as T
}
