import type { Clock } from "../../../core/kernel/clock.ts"
import type { Exchanged, JournalEntry, RequestJournal } from "../model.ts"
import { Chunks } from "./chunks.ts"
import { requestsMax } from "./contract.ts"
import type { Entry } from "./journal-entry.ts"
import { JournalQueue } from "./journal-queue.ts"

const mebibyte = 1024 * 1024
/** Bounds of one journal, and of all of a process together, of which the oldest entries are removed first. */
const journalBounds = { entriesMax: requestsMax, bytesMax: 8 * mebibyte, allBytesMax: 64 * mebibyte }
export type JournalBounds = typeof journalBounds

/** The share of the entries and bytes that requests without a valid credential can take from the others. */
const anonymousShare = 0.8

export class Journals {
  readonly bounds: JournalBounds
  readonly chunks: Chunks
  readonly #journals = new Set<SandboxJournal>()
  readonly #bytes = { all: 0, anonymous: 0 }
  #positions = 0

  constructor(bounds: Partial<JournalBounds> = {}) {
    this.bounds = { ...journalBounds, ...bounds }
    this.chunks = new Chunks(this.bounds.bytesMax)
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

  nextPosition = (): number => ++this.#positions

  /** Counts bytes that a journal has added or removed. */
  count(bytes: number, isAnonymous: boolean): void {
    this.#bytes.all += bytes
    if (isAnonymous) this.#bytes.anonymous += bytes
  }

  /** Removes the oldest entries of all while there are too many. */
  keepBound(): void {
    const { allBytesMax } = this.bounds
    while (this.#bytes.all > allBytesMax) {
      const isOfAnonymous = this.#bytes.anonymous > anonymousShare * allBytesMax
      let oldest: SandboxJournal | undefined
      let position = Number.POSITIVE_INFINITY
      for (const journal of this.#journals) {
        const own = journal.oldestPosition(isOfAnonymous)
        if (own < position) [oldest, position] = [journal, own]
      }
      oldest?.removeOldest(isOfAnonymous)
    }
  }
}

/** A journal in two queues: of requests with a valid credential, and of the others. */
class SandboxJournal implements RequestJournal, Disposable {
  readonly #all: Journals
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  readonly #identified: JournalQueue
  readonly #anonymous: JournalQueue
  #lastId = 0
  #latest = { position: 0, id: 0 }
  #removedUntil: number | undefined
  #isClosed = false

  constructor(all: Journals, clock: Clock) {
    this.#all = all
    this.#clock = clock
    this.#identified = new JournalQueue(all.bounds.entriesMax, all.chunks)
    this.#anonymous = new JournalQueue(all.bounds.entriesMax, all.chunks)
  }

  nextId(): number {
    return ++this.#lastId
  }

  add(exchanged: Exchanged, id = this.nextId()): void {
    if (this.#isClosed) return
    const { caller, durationMs, webhookId } = exchanged.facts
    const isAnonymous = caller === undefined && webhookId === undefined
    const at = this.#clock.now() - (this.#clock.isFrozen?.() ? 0 : durationMs)
    const position = this.#all.nextPosition()
    this.#latest = { position, id }
    const bytes = this.#queue(isAnonymous).add(id, at, position, exchanged)
    this.#all.count(bytes, isAnonymous)
    this.#keepBounds()
    this.#all.keepBound()
    for (const listener of this.#listeners) listener()
  }

  newest(before = Number.POSITIVE_INFINITY): JournalEntry[] {
    const found = this.#after(0).filter(({ id }) => id < before)
    return found.sort((a, b) => b.id - a.id)
  }

  after(position: number, limit: number): JournalEntry[] {
    const found = this.#after(position).sort((a, b) => a.position - b.position)
    return found.slice(0, limit)
  }

  positionAfter(id = Number.POSITIVE_INFINITY): { position: number; id: number } {
    const all = this.after(0, Number.POSITIVE_INFINITY)
    const first = all.find((entry) => entry.id > id)
    const exact = all.find((entry) => entry.id === id)
    return exact ?? (first ? { position: first.position - 1, id } : this.#latest)
  }

  clear(): void {
    while (this.#identified.size + this.#anonymous.size > 0) this.removeOldest(false)
    this.#removedUntil = undefined
  }

  removedUntil(): number | undefined {
    return this.#removedUntil
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The position of the oldest entry, of the anonymous ones or of all; infinity when there is none. */
  oldestPosition(isOfAnonymous: boolean): number {
    return this.#queueToShorten(isOfAnonymous).oldest?.position ?? Number.POSITIVE_INFINITY
  }

  removeOldest(isOfAnonymous: boolean): void {
    const queue = this.#queueToShorten(isOfAnonymous)
    this.#removedUntil = Math.max(
      this.#removedUntil ?? Number.NEGATIVE_INFINITY,
      queue.oldest?.at ?? Number.NEGATIVE_INFINITY,
    )
    this.#all.count(-queue.removeOldest(), queue === this.#anonymous)
  }

  [Symbol.dispose](): void {
    this.#isClosed = true
    this.#all.close(this)
  }

  /** Removes the oldest entries while there are too many; those of anonymous requests where they have more than their share. */
  #keepBounds(): void {
    const { entriesMax, bytesMax } = this.#all.bounds
    const [identified, anonymous] = [this.#identified, this.#anonymous]
    while (identified.size + anonymous.size > entriesMax || identified.bytes + anonymous.bytes > bytesMax)
      this.removeOldest(anonymous.size > anonymousShare * entriesMax || anonymous.bytes > anonymousShare * bytesMax)
  }

  #queue(isAnonymous: boolean): JournalQueue {
    return isAnonymous ? this.#anonymous : this.#identified
  }

  #queueToShorten(isOfAnonymous: boolean): JournalQueue {
    const [identified = Number.POSITIVE_INFINITY, anonymous = Number.POSITIVE_INFINITY] = [
      this.#identified.oldest?.position,
      this.#anonymous.oldest?.position,
    ]
    return isOfAnonymous || anonymous < identified ? this.#anonymous : this.#identified
  }

  #after(position: number): Entry[] {
    return [...this.#identified.after(position), ...this.#anonymous.after(position)]
  }
}
