import type { Exchanged, JournalEntry, RecordedBody, RequestJournal } from "../domain/sandbox/model.ts"
import { requestsMax } from "../domain/sandbox/requests/contract.ts"
import type { Clock } from "../kernel/clock.ts"
import { JournalColumns } from "./journal-columns.ts"

const mebibyte = 1024 * 1024
/** Bounds of one journal, and of all of a process together, of which the oldest entries are removed first. */
const journalBounds = { entriesMax: requestsMax, bytesMax: 8 * mebibyte, allBytesMax: 64 * mebibyte }
export type JournalBounds = typeof journalBounds

/** What an entry takes besides its texts, in bytes. */
const entryBytes = 1024

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
    while (this.#bytes > this.bounds.allBytesMax) this.#findOldest()?.removeOldest()
  }

  /** The journal with the oldest entry of all. */
  #findOldest(): SandboxJournal | undefined {
    let oldest: SandboxJournal | undefined
    for (const journal of this.#journals)
      if (journal.oldestPlace < (oldest?.oldestPlace ?? Number.POSITIVE_INFINITY)) oldest = journal
    return oldest
  }
}

/** A journal that keeps its entries in columns. */
class SandboxJournal implements RequestJournal, Disposable {
  readonly #all: Journals
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  readonly #columns: JournalColumns
  #first = 1
  #next = 1
  #bytes = 0
  #isClosed = false

  constructor(all: Journals, clock: Clock) {
    this.#all = all
    this.#clock = clock
    this.#columns = new JournalColumns(all.bounds.entriesMax)
  }

  add(exchanged: Exchanged): void {
    if (this.#isClosed) return
    const { entriesMax, bytesMax } = this.#all.bounds
    const bytes = weigh(exchanged)
    while (this.#next - this.#first >= entriesMax || this.#bytes + bytes > bytesMax) this.removeOldest()
    const at = this.#clock.now() - exchanged.durationMs
    this.#columns.put(this.#next++, exchanged, { at, bytes, place: this.#all.nextPlace() })
    this.#bytes += bytes
    this.#all.count(bytes)
    for (const listener of this.#listeners) listener()
  }

  *newest(before = this.#next): Generator<JournalEntry> {
    for (let id = Math.min(before, this.#next) - 1; id >= this.#first; id--) yield this.#columns.read(id)
  }

  after(after: number, limit: number): JournalEntry[] {
    const first = Math.max(after + 1, this.#first)
    const length = Math.max(0, Math.min(limit, this.#next - first))
    return Array.from({ length }, (_, n) => this.#columns.read(first + n))
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
    return this.#first < this.#next ? this.#columns.placeOf(this.#first) : Number.POSITIVE_INFINITY
  }

  removeOldest(): void {
    const bytes = this.#columns.remove(this.#first++)
    this.#bytes -= bytes
    this.#all.count(-bytes)
  }

  [Symbol.dispose](): void {
    this.#isClosed = true
    this.#all.close(this)
  }
}

/** The memory that an entry takes, in bytes; text may take two bytes a character. */
function weigh({ path, query, requestHeaders, requestBody, responseBody }: Exchanged): number {
  let bytes = entryBytes + 2 * (path.length + query.length)
  for (const text of requestHeaders) bytes += text.length
  return bytes + weighBody(requestBody) + weighBody(responseBody)
}

function weighBody(body: RecordedBody): number {
  if (body === undefined) return 0
  if (typeof body === "string") return 2 * body.length
  return ("beginning" in body ? body.beginning : body).byteLength
}
