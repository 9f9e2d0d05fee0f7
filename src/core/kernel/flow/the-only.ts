/** The result of work for several that ran for one. */
export function theOnly<T>(results: readonly T[]): T {
  if (results.length !== 1) throw new Error(`${results.length} results for one input`)
  return results[0] as T
}
