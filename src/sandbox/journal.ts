import type { Exchanged, JournalEntry, RequestJournal } from "../domain/sandbox/model.ts"
import { type RecordedRequest, requestsMax } from "../domain/sandbox/requests/contract.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Json } from "../kernel/json/json.ts"
import { JournalQueue, type Kept } from "./journal-queue.ts"
import { weigh } from "./journal-weight.ts"

const mebibyte = 1024 * 1024
/** Bounds of one journal, and of all of a process together, of which the oldest entries are removed first. */
const journalBounds = { entriesMax: requestsMax, bytesMax: 8 * mebibyte, allBytesMax: 64 * mebibyte }
export type JournalBounds = typeof journalBounds

/** The share of the entries and bytes that requests without a valid credential can take from the others. */
const strangersShare = 0.8

/** The journals of a process. */
export class Journals {
  readonly bounds: JournalBounds
  readonly #journals = new Set<SandboxJournal>()
  readonly #bytes = { all: 0, strangers: 0 }
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

  /** Counts bytes that a journal has added or removed. */
  count(bytes: number, isStranger: boolean): void {
    this.#bytes.all += bytes
    if (isStranger) this.#bytes.strangers += bytes
  }

  /** Removes the oldest entries of all while there are too many. */
  keepBound(): void {
    const { allBytesMax } = this.bounds
    while (this.#bytes.all > allBytesMax) {
      const isOfStrangers = this.#bytes.strangers > strangersShare * allBytesMax
      let oldest: SandboxJournal | undefined
      let place = Number.POSITIVE_INFINITY
      for (const journal of this.#journals) {
        const own = journal.oldestPlace(isOfStrangers)
        if (own < place) [oldest, place] = [journal, own]
      }
      oldest?.removeOldest(isOfStrangers)
    }
  }
}

/** A journal in two queues: of requests with a valid credential, and of the others. */
class SandboxJournal implements RequestJournal, Disposable {
  readonly #all: Journals
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  readonly #known: JournalQueue
  readonly #strangers: JournalQueue
  #last = 0
  #isClosed = false

  constructor(all: Journals, clock: Clock) {
    this.#all = all
    this.#clock = clock
    this.#known = new JournalQueue(all.bounds.entriesMax)
    this.#strangers = new JournalQueue(all.bounds.entriesMax)
  }

  add(exchanged: Exchanged): void {
    if (this.#isClosed) return
    const { caller, operation, status, durationMs, webhookId } = exchanged
    const bytes = weigh(exchanged)
    this.#makeRoom(bytes)
    const at = this.#clock.now() - durationMs
    const isStranger = caller === undefined && webhookId === undefined
    const place = this.#all.nextPlace()
    this.#queue(isStranger).add({
      id: ++this.#last,
      at,
      operation,
      status,
      content: exchanged,
      bytes,
      place,
      isStranger,
    })
    this.#all.count(bytes, isStranger)
    this.#all.keepBound()
    for (const listener of this.#listeners) listener()
  }

  newest(before = Number.POSITIVE_INFINITY): JournalEntry[] {
    return this.#above(0).filter(({ id }) => id < before)
  }

  after(after: number, limit: number): JournalEntry[] {
    return this.#above(after).reverse().slice(0, limit)
  }

  keepShown(entry: JournalEntry, shown: Json<RecordedRequest>): void {
    const kept = entry as Kept
    kept.content = shown
    this.#all.count(this.#queue(kept.isStranger).changeBytes(kept, weigh(shown)), kept.isStranger)
    this.#all.keepBound()
  }

  last(): number {
    return this.#last
  }

  clear(): void {
    while (this.#known.size + this.#strangers.size > 0) this.removeOldest(false)
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The place of the oldest entry, of strangers or of all; infinity when there is none. */
  oldestPlace(isOfStrangers: boolean): number {
    return this.#queueToShorten(isOfStrangers).oldest?.place ?? Number.POSITIVE_INFINITY
  }

  removeOldest(isOfStrangers: boolean): void {
    const queue = this.#queueToShorten(isOfStrangers)
    this.#all.count(-queue.removeOldest(), queue === this.#strangers)
  }

  [Symbol.dispose](): void {
    this.#isClosed = true
    this.#all.close(this)
  }

  #makeRoom(bytes: number): void {
    const { entriesMax, bytesMax } = this.#all.bounds
    const [known, strangers] = [this.#known, this.#strangers]
    while (known.size + strangers.size > 0) {
      if (known.size + strangers.size < entriesMax && known.bytes + strangers.bytes + bytes <= bytesMax) return
      const isMuch = strangers.size >= strangersShare * entriesMax || strangers.bytes > strangersShare * bytesMax
      this.removeOldest(isMuch)
    }
  }

  #queue(isStranger: boolean): JournalQueue {
    return isStranger ? this.#strangers : this.#known
  }

  #queueToShorten(isOfStrangers: boolean): JournalQueue {
    const [known = Number.POSITIVE_INFINITY, stranger = Number.POSITIVE_INFINITY] = [
      this.#known.oldest?.place,
      this.#strangers.oldest?.place,
    ]
    return isOfStrangers || stranger < known ? this.#strangers : this.#known
  }

  /** The entries above an id, newest first. */
  #above(id: number): Kept[] {
    const found = [this.#known.above(id), this.#strangers.above(id)]
    return found.flat().sort((a, b) => b.id - a.id)
  }
}
