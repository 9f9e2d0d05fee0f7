/** Median, minimum and maximum of the values of all rounds. */
export type Spread = { median: number; min: number; max: number }

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? Number.NaN
  const middle = sorted.length >> 1
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2
  return { median, min: at(0), max: at(sorted.length - 1) }
}
