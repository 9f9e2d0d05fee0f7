/** The limit that is reached: per key, or in total. */
type Exhausted = "one" | "all"

/** Limits concurrency: `perKey` per key and `total` in total. */
export function slots<Key>({ perKey, total }: { perKey: number; total: number }) {
  const held = new Map<Key, number>()
  let all = 0

  /** The limit that prevents another slot for a key; undefined when there is a free one. */
  const fullFor = (key: Key): Exhausted | undefined =>
    (held.get(key) ?? 0) >= perKey ? "one" : all >= total ? "all" : undefined

  function change(key: Key, by: 1 | -1): void {
    const count = (held.get(key) ?? 0) + by
    if (count > 0) held.set(key, count)
    else held.delete(key)
    all += by
  }

  return {
    /** Takes a slot and returns its release; returns the limit that is reached when there is no free one. */
    take(key: Key): (() => void) | Exhausted {
      const full = fullFor(key)
      if (full !== undefined) return full
      change(key, 1)
      let isReleased = false
      return () => {
        if (!isReleased) change(key, -1)
        isReleased = true
      }
    },
    fullFor,
    /** Number of slots taken, of all keys. */
    taken: () => all,
  }
}
