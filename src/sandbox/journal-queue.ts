import type { JournalEntry } from "../domain/sandbox/model.ts"

/** An entry with its place among the entries of all journals. */
export type Kept = { -readonly [Name in keyof JournalEntry]: JournalEntry[Name] } & {
  readonly place: number
  /** Whether the request had no valid credential. */
  readonly isStranger: boolean
}

/** Entries in the order of their ids, at most `length`, of which the oldest is removed first. */
export class JournalQueue {
  readonly #length: number
  readonly #entries: (Kept | undefined)[] = []
  #first = 0
  #next = 0
  bytes = 0

  constructor(length: number) {
    this.#length = length
  }

  get size(): number {
    return this.#next - this.#first
  }

  get oldest(): Kept | undefined {
    return this.size === 0 ? undefined : this.#entries[this.#first % this.#length]
  }

  add(entry: Kept): void {
    this.#entries[this.#next++ % this.#length] = entry
    this.bytes += entry.bytes
  }

  /** Removes the oldest entry and returns its bytes; 0 when there is none. */
  removeOldest(): number {
    const { oldest } = this
    if (!oldest) return 0
    this.#entries[this.#first++ % this.#length] = undefined
    this.bytes -= oldest.bytes
    return oldest.bytes
  }

  /** Changes what an entry takes, and returns by how much; 0 for one that was removed. */
  changeBytes(entry: Kept, bytes: number): number {
    if (this.oldest === undefined || entry.id < this.oldest.id) return 0
    const more = bytes - entry.bytes
    entry.bytes = bytes
    this.bytes += more
    return more
  }

  /** The entries above an id, newest first. */
  above(id: number): Kept[] {
    const found: Kept[] = []
    for (let n = this.#next - 1; n >= this.#first; n--) {
      const entry = this.#entries[n % this.#length] as Kept
      if (entry.id <= id) break
      found.push(entry)
    }
    return found
  }
}
