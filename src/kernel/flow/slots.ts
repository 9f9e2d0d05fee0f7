/** The bound that is reached: that of one key, or that of all. */
type Full = "one" | "all"

/** Bounds how much happens at once: `ofOne` of each key, and `inAll` of all keys together. */
export function slots<Key>({ ofOne, inAll }: { ofOne: number; inAll: number }) {
  const held = new Map<Key, number>()
  let all = 0

  /** Which bound keeps a key from another slot; undefined when none does. */
  const fullFor = (key: Key): Full | undefined =>
    (held.get(key) ?? 0) >= ofOne ? "one" : all >= inAll ? "all" : undefined

  function change(key: Key, by: 1 | -1): void {
    const count = (held.get(key) ?? 0) + by
    if (count > 0) held.set(key, count)
    else held.delete(key)
    all += by
  }

  return {
    /** Takes a slot and returns how to release it; the name of the bound that is reached when there is none. */
    take(key: Key): (() => void) | Full {
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
    /** How many slots are taken, of all keys. */
    taken: () => all,
  }
}
