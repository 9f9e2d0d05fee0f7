/**
 * Caches the results for up to `entriesMax` texts of up to `lengthMax` UTF-16 code units; errors are not cached.
 * Callers share the value.
 */
export function memoize<T extends {}>(
  compute: (text: string) => T,
  { entriesMax, lengthMax }: { entriesMax: number; lengthMax: number },
): (text: string) => T {
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
