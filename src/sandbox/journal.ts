import type { Exchanged, ExchangedMessage, JournalEntry, RequestJournal } from "../domain/sandbox/model.ts"
import { requestsMax } from "../domain/sandbox/requests/contract.ts"
import type { Clock } from "../kernel/clock.ts"

const mebibyte = 1024 * 1024
/** Bounds of one journal, and of all of a process together, of which the oldest entries are removed first. */
const journalBounds = { entriesMax: requestsMax, bytesMax: 8 * mebibyte, allBytesMax: 64 * mebibyte }
export type JournalBounds = typeof journalBounds

/** What an entry takes besides its texts, in bytes. */
const entryBytes = 1024

/** `place` is its place among the entries of all journals. */
type Kept = JournalEntry & { place: number; bytes: number }

/** The journals of a process. */
export class Journals {
  readonly bounds: JournalBounds
  readonly #journals = new Set<SandboxJournal>()
  #bytes = 0
  #places = 0

  constructor(bounds: Partial<JournalBounds> = {}) {
    this.bounds = { ...journalBounds, ...bounds }
  }

  /** Opens the journal of a sandbox; its disposal removes it. */
  open(clock: Clock): SandboxJournal {
    const journal = new SandboxJournal(this, clock)
    this.#journals.add(journal)
    return journal
  }

  close(journal: SandboxJournal): void {
    journal.clear()
    this.#journals.delete(journal)
  }

  nextPlace = (): number => this.#places++

  /** Counts bytes that a journal has added or removed, and removes the oldest entries of all while there are too many. */
  count(bytes: number): void {
    this.#bytes += bytes
    while (this.#bytes > this.bounds.allBytesMax) {
      const [oldest] = [...this.#journals].sort((one, other) => one.oldestPlace - other.oldestPlace)
      oldest?.removeOldest()
    }
  }
}

/** Keeps entries by reference; they are read rarely, and each request adds one. */
class SandboxJournal implements RequestJournal, Disposable {
  readonly #all: Journals
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  /** The entry with the id n is at n modulo its length. */
  readonly #ring: (Kept | undefined)[]
  #first = 1
  #next = 1
  #bytes = 0

  constructor(all: Journals, clock: Clock) {
    this.#all = all
    this.#clock = clock
    this.#ring = new Array(all.bounds.entriesMax)
  }

  add(exchanged: Exchanged): void {
    const { entriesMax, bytesMax } = this.#all.bounds
    const bytes = weigh(exchanged)
    while (this.#next - this.#first >= entriesMax || this.#bytes + bytes > bytesMax) this.removeOldest()
    const id = this.#next++
    const at = this.#clock.now() - exchanged.durationMs
    this.#ring[id % entriesMax] = { id, at, exchanged, place: this.#all.nextPlace(), bytes }
    this.#bytes += bytes
    this.#all.count(bytes)
    for (const listener of this.#listeners) listener()
  }

  *newest(before = this.#next): Generator<JournalEntry> {
    for (let id = Math.min(before, this.#next) - 1; id >= this.#first; id--) yield this.#at(id) as Kept
  }

  after(after: number, limit: number): JournalEntry[] {
    const entries: JournalEntry[] = []
    for (let id = Math.max(after + 1, this.#first); id < this.#next && entries.length < limit; id++)
      entries.push(this.#at(id) as Kept)
    return entries
  }

  last(): number {
    return this.#next - 1
  }

  clear(): void {
    while (this.#first < this.#next) this.removeOldest()
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The place of the oldest entry; infinity when there is none. */
  get oldestPlace(): number {
    return this.#at(this.#first)?.place ?? Number.POSITIVE_INFINITY
  }

  removeOldest(): void {
    const bytes = this.#at(this.#first)?.bytes ?? 0
    this.#ring[this.#first % this.#ring.length] = undefined
    this.#first++
    this.#bytes -= bytes
    this.#all.count(-bytes)
  }

  [Symbol.dispose](): void {
    this.#all.close(this)
  }

  #at(id: number): Kept | undefined {
    return id < this.#next ? this.#ring[id % this.#ring.length] : undefined
  }
}

/** The memory that an entry takes, in bytes; text may take two bytes a character. */
const weigh = ({ path, query, request, response }: Exchanged): number =>
  entryBytes + 2 * (path.length + query.length) + weighMessage(request) + weighMessage(response)

function weighMessage({ headers, body }: ExchangedMessage): number {
  let bytes = 0
  for (const text of headers) bytes += text.length
  return bytes + (typeof body === "string" ? 2 * body.length : (body?.byteLength ?? 0))
}
