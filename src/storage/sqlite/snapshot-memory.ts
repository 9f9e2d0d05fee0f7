import type { Row } from "../sql/statement.ts"

/** What all that is remembered may take up; a character counts as two bytes. */
export const memoryBytesMax = 8 * 1024 * 1024
/** What an entry takes up besides its texts. */
const entryBytes = 200
/** Of how many of the latest questions it is known that they were asked. */
const askedMax = 1000

type Key = Row[string]

/**
 * Rows that were found in a snapshot, for as long as it lasts: nothing in it changes. A row is remembered when it is asked for
 * the second time, because remembering costs more than reading what nobody asks for again.
 */
export class SnapshotMemory {
  readonly #found = new Map<unknown, Map<Key, unknown>>()
  readonly #asked = new Set<Key>()
  #bytes = 0

  /** The row found for this statement and these values; undefined when it is not remembered. */
  find(statement: unknown, key: Key): unknown {
    return this.#found.get(statement)?.get(key)
  }

  /** Remembers a row that was asked for before; when there is no room for it, everything else is forgotten. */
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

  /** False when there is no room for so much at all. */
  #makeRoom(bytes: number): boolean {
    if (bytes > memoryBytesMax) return false
    if (this.#bytes + bytes > memoryBytesMax) this.clear()
    this.#bytes += bytes
    return true
  }
}

const bytesOf = (value: Key): number => (typeof value === "string" ? value.length * 2 : 8)
