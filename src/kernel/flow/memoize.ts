/**
 * The same function, which remembers what it returned for up to `entriesMax` texts of up to `lengthMax` UTF-16 code units: for
 * what depends on the text alone. What it throws is not remembered. Whoever asks shares the value with everybody else.
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
