/** Bounds of a cache: the number of texts, and their length in UTF-16 code units. */
const [entriesMax, lengthMax] = [100, 200]

/** Caches the results for the last texts, up to 100 of up to 200 characters; errors are not cached. Callers share the value. */
export function memoize<T extends {}>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()

  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const value = compute(text)
    if (text.length > lengthMax) return value
    if (known.size >= entriesMax) known.clear()
    known.set(text, value)
    return value
  }
}
