import type { Row } from "../sql/statement.ts"

/** Maximum bytes of the cache; a character counts as two. */
export const memoryBytesMax = 8 * 1024 * 1024
/** Overhead of an entry. */
const entryBytes = 200
/** The latest reads that are remembered, to recognize the second one. */
const askedMax = 1000

type Key = Row[string]

/**
 * Caches rows of a snapshot, in which nothing changes. A row is cached at its second read, because caching costs more than
 * reading a row that is not read again.
 */
export class SnapshotMemory {
  readonly #found = new Map<unknown, Map<Key, unknown>>()
  readonly #asked = new Set<Key>()
  #bytes = 0

  find(statement: unknown, key: Key): unknown {
    return this.#found.get(statement)?.get(key)
  }

  /** Caches a row at its second read; clears everything when there is no room. */
  offer(statement: unknown, key: Key, row: Row): void {
    if (!this.#wasAsked(key)) return
    const bytes = bytesOf(key) + Object.values(row).reduce<number>((sum, value) => sum + bytesOf(value), entryBytes)
    if (!this.#makeRoom(bytes)) return
    const known = this.#found.get(statement)
    if (known) known.set(key, Object.freeze(row))
    else this.#found.set(statement, new Map([[key, Object.freeze(row)]]))
  }

  clear(): void {
    if (this.#bytes === 0) return
    this.#found.clear()
    this.#asked.clear()
    this.#bytes = 0
  }

  #wasAsked(key: Key): boolean {
    if (this.#asked.has(key)) return true
    if (this.#asked.size >= askedMax) this.#asked.clear()
    if (this.#makeRoom(bytesOf(key))) this.#asked.add(key)
    return false
  }

  /** False when the cache is smaller than that. */
  #makeRoom(bytes: number): boolean {
    if (bytes > memoryBytesMax) return false
    if (this.#bytes + bytes > memoryBytesMax) this.clear()
    this.#bytes += bytes
    return true
  }
}

const bytesOf = (value: Key): number => (typeof value === "string" ? value.length * 2 : 8)
