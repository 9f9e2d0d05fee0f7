// Decision: docs/decisions/storage-sqlite.md#repeated-reads-are-remembered-as-long-as-the-snapshot-lasts

import type { KeptText } from "../kernel/json/kept-text.ts"
import type { Row } from "../sql/statement.ts"

/** Maximum bytes of the cache; a character counts as two. */
const memoryBytesMax = 8 * 1024 * 1024
/** Overhead of an entry. */
const entryBytes = 200
/** The latest reads that are remembered, to recognize the second one. */
const readOnceMax = 1000

type Key = Row[string]

/** Caches rows of one snapshot, each at its second read: caching costs more than reading a row once. */
export class SnapshotMemory {
  readonly #cached = new Map<unknown, Map<Key, unknown>>()
  readonly #readOnce = new Set<Key>()
  #bytes = 0

  find(statement: unknown, key: Key): unknown {
    return this.#cached.get(statement)?.get(key)
  }

  /** Caches a row at its second read; clears everything when there is no space. */
  offer(statement: unknown, key: Key, row: Row): void {
    if (!this.#wasRead(key)) return
    const bytes = bytesOf(key) + Object.values(row).reduce<number>((sum, value) => sum + bytesOf(value), entryBytes)
    if (!this.#makeSpace(bytes)) return
    const known = this.#cached.get(statement)
    if (known) known.set(key, Object.freeze(row))
    else this.#cached.set(statement, new Map([[key, Object.freeze(row)]]))
  }

  clear(): void {
    if (this.#bytes === 0) return
    this.#cached.clear()
    this.#readOnce.clear()
    this.#bytes = 0
  }

  #wasRead(key: Key): boolean {
    if (this.#readOnce.has(key)) return true
    if (this.#readOnce.size >= readOnceMax) this.#readOnce.clear()
    if (this.#makeSpace(bytesOf(key))) this.#readOnce.add(key)
    return false
  }

  /** False when the cache is smaller than that. */
  #makeSpace(bytes: number): boolean {
    if (bytes > memoryBytesMax) return false
    if (this.#bytes + bytes > memoryBytesMax) this.clear()
    this.#bytes += bytes
    return true
  }
}

/** A row that is a page of kept texts pins them, also when they are kept no longer. */
function bytesOf(value: Key | readonly KeptText[]): number {
  if (Array.isArray(value)) return value.reduce((sum, { size }) => sum + size, 0)
  return typeof value === "string" ? value.length * 2 : 8
}
