import type { Exchanged } from "../model.ts"
import type { Chunks } from "./chunks.ts"
import { Entry } from "./journal-entry.ts"

/** Entries in the order in which they ended, at most `entriesMax` and one that is added before the oldest is removed. */
export class JournalQueue {
  readonly #length: number
  readonly #chunks: Chunks
  readonly #entries: (Entry | undefined)[] = []
  #first = 0
  #next = 0
  bytes = 0

  constructor(entriesMax: number, chunks: Chunks) {
    this.#length = entriesMax + 1
    this.#chunks = chunks
  }

  get size(): number {
    return this.#next - this.#first
  }

  get oldest(): Entry | undefined {
    return this.size === 0 ? undefined : this.#entries[this.#first % this.#length]
  }

  /** Adds an entry and returns its bytes. */
  add(id: number, at: number, position: number, exchanged: Exchanged): number {
    const latest = this.size === 0 ? undefined : this.#entries[(this.#next - 1) % this.#length]
    const entry = new Entry({ id, at, position }, exchanged, latest, this.#chunks)
    this.#entries[this.#next++ % this.#length] = entry
    this.bytes += entry.bytes
    return entry.bytes
  }

  /** Removes the oldest entry and returns its bytes; 0 when there is none. */
  removeOldest(): number {
    const removed = this.oldest
    if (!removed) return 0
    removed.remove()
    this.#entries[this.#first++ % this.#length] = undefined
    if (this.oldest?.chunk !== removed.chunk) this.#chunks.release(removed.chunk)
    this.bytes -= removed.bytes
    return removed.bytes
  }

  /** The entries after a position, the latest first. */
  after(position: number): Entry[] {
    const found: Entry[] = []
    for (let n = this.#next - 1; n >= this.#first; n--) {
      const entry = this.#entries[n % this.#length] as Entry
      if (entry.position <= position) break
      found.push(entry)
    }
    return found
  }
}
