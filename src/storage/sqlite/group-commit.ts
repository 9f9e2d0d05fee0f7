import type { DatabaseSync } from "node:sqlite"
import { type Change, OutcomeUnknown, StoreUnavailable } from "../../domain/ports/store.ts"
import type { createCheckpoint } from "./checkpoint.ts"
import { toStoreError } from "./connection.ts"
import type { Disk } from "./disk.ts"
import { type Group, GroupTransaction, type Job, notifyAll } from "./group.ts"
import { type DiskReserve, isFullError } from "./reserve.ts"

const waitingMax = 10_000
const batchMax = 64

type Listener = (changes: ReadonlySet<Change>) => void
type Hooks = {
  /** Called before a commit, which readers must not see yet. */
  beforeCommit(): void
  /** Called after a commit, which no rollback can undo any more, with whether it wrote anything. */
  committed(isWritten: boolean): void
  /** Called once a commit is durable: from now on readers must see it. */
  durable(): void
  /** Called after one job, or all that were to be committed together, were undone, with what was thrown. */
  rolledBack(error: unknown): void
  /** Called once, when the disk has failed and nothing can be written any more. */
  failed(error: StoreUnavailable): void
}
type Parts = {
  disk: Pick<Disk, "syncLog">
  checkpoint: ReturnType<typeof createCheckpoint>
  reserve: DiskReserve
  hooks: Hooks
}

/**
 * Runs transactions one after the other; those that arrive together are committed together. While one group is on its way to
 * the disk the next one runs, and is committed when the one before is durable. Nobody is told a result, not even a refusal,
 * and nobody reads what was written, before it is durable. A group that wrote nothing needs no flush.
 */
export class GroupCommit {
  readonly #transaction: GroupTransaction
  readonly #parts: Parts
  readonly #listeners = new Set<Listener>()
  readonly #waiting: Job[] = []
  /** Called when a job arrives. */
  #arrived = () => {}
  #wasFull = false
  #draining: Promise<void> | undefined
  /** Resolves when the last group is durable, or undone, and its callers were told. */
  #settling: Promise<void> = Promise.resolve()
  #isSettled = true
  #failure: StoreUnavailable | undefined
  /** Why writes are refused while a flush takes too long. */
  #refusal: StoreUnavailable | undefined
  /** The group that is being flushed. */
  #flushing: Group | undefined
  /** Called when writes begin to be refused. */
  #stalled = () => {}

  constructor(db: DatabaseSync, parts: Parts) {
    this.#parts = parts
    this.#transaction = new GroupTransaction(db, (error) => {
      parts.hooks.rolledBack(error)
      this.#wasFull ||= isFullError(error)
    })
  }

  /** Resolves with what the work resolves with; it may be run twice, and what it did the first time is undone then. */
  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#refusal) return Promise.reject(this.#refusal)
    if (this.#waiting.length >= waitingMax) return Promise.reject(new StoreUnavailable("too many writes are waiting"))
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as Job["resolve"], reject })
      this.#arrived()
      this.#draining ??= this.#drain()
    })
  }

  /** How many transactions wait for their turn. */
  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Refuses every transaction until `resume`, because the disk does not answer. What is not committed is undone. Of the commits
   * that wait for the disk nobody knows whether they are stored; listeners hear of them if the disk takes them after all.
   */
  refuse(refusal: StoreUnavailable): void {
    this.#refusal = refusal
    for (const { reject } of this.#waiting.splice(0)) reject(refusal)
    if (this.#flushing) {
      this.#flushing.changes.add("outcome-unknown")
      const unknown = new OutcomeUnknown(refusal.message)
      for (const { reject } of this.#flushing.jobs) reject(unknown)
    }
    this.#stalled()
    this.#arrived()
  }

  /** Accepts transactions again. */
  resume(): void {
    this.#refusal = undefined
  }

  /** Why transactions are refused, as the end of a sentence. */
  get refusal(): string | undefined {
    return this.#refusal?.message
  }

  /** Notes what the transaction that is running has changed. */
  noteChange(change: Change): void {
    this.#transaction.noteChange(change)
  }

  /** Calls the listener after every commit with what it changed, if that is anything; returns how to stop. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Resolves when nothing is waiting any more. */
  async idle(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining
  }

  async #drain(): Promise<void> {
    try {
      for (;;) {
        if (this.#waiting.length === 0) await this.#moreOrSettled()
        if (this.#waiting.length === 0 || this.#hasChores()) await this.#doChores()
        if (this.#waiting.length === 0) return
        await endOfTurn()
        const settled = this.#settling
        const group = await this.#write(settled)
        this.#isSettled = false
        this.#settling = this.#settle(group, settled)
      }
    } finally {
      this.#draining = undefined
    }
  }

  async #write(before: Promise<void>): Promise<Group> {
    const transaction = this.#transaction
    const group = transaction.newGroup()
    let jobs = this.#take(group)
    try {
      this.#requireDisk()
      this.#parts.reserve.renew()
      const position = this.#parts.checkpoint.position()
      transaction.begin()
      for (; jobs.length > 0; jobs = await this.#takeMore(group)) await transaction.run(jobs, group)
      await this.#endOrStall(before)
      this.#requireDisk()
      this.#parts.hooks.beforeCommit()
      transaction.commit()
      group.isCommitted = true
      group.isWritten = position === undefined || position !== this.#parts.checkpoint.position()
      this.#parts.hooks.committed(group.isWritten)
    } catch (error) {
      transaction.abandon(error)
      group.notifications = group.jobs.map((job) => () => job.reject(toStoreError(error)))
      // Otherwise they would wait for the disk.
      if (error === this.#refusal) notifyAll(group)
    }
    return group
  }

  /** Resolves when the group before is settled or writes are refused: until it is committed, a group can be undone. */
  #endOrStall(before: Promise<void>): Promise<void> {
    if (this.#refusal) return Promise.resolve()
    return new Promise((resolve) => {
      this.#stalled = resolve
      void before.then(resolve)
    })
  }

  /** What arrives while the group before is not settled; nothing once it is. */
  async #takeMore(group: Group): Promise<Job[]> {
    const mayWait = !this.#isSettled && group.jobs.length < batchMax
    return mayWait && (await this.#moreOrSettled()) ? this.#take(group) : []
  }

  #take(group: Group): Job[] {
    const jobs = this.#waiting.splice(0, batchMax - group.jobs.length)
    group.jobs.push(...jobs)
    return jobs
  }

  async #settle(group: Group, before: Promise<void>): Promise<void> {
    await before
    if (group.isWritten) await this.#flush(group)
    this.#isSettled = true
    // Whether it is stored is not known, so nobody can be told anything.
    if (group.isWritten && this.#failure) return
    if (group.isWritten) this.#parts.hooks.durable()
    notifyAll(group)
    if (group.isCommitted && group.changes.size > 0) for (const listener of this.#listeners) listener(group.changes)
  }

  async #flush(group: Group): Promise<void> {
    this.#flushing = group
    await this.#sync(() => this.#parts.disk.syncLog())
    this.#flushing = undefined
  }

  /** Whether something is due for which no transaction may be open and every commit has to be durable. */
  #hasChores(): boolean {
    return this.#wasFull || this.#parts.checkpoint.isDue()
  }

  async #doChores(): Promise<void> {
    await this.#settling
    const { hooks, reserve, checkpoint } = this.#parts
    if (this.#failure || !this.#hasChores()) return
    hooks.durable()
    if (this.#wasFull) reserve.spend()
    this.#wasFull = false
    if (checkpoint.isDue()) await this.#sync(() => checkpoint.run())
  }

  /**
   * After a failure the system may take for written what never reached the disk, and the next attempt would succeed in
   * vain. So nothing is written any more.
   */
  async #sync(sync: () => Promise<void>): Promise<void> {
    try {
      await sync()
    } catch (error) {
      this.#failure = new StoreUnavailable("the disk failed", { cause: error })
      this.#parts.hooks.failed(this.#failure)
    }
  }

  #requireDisk(): void {
    const error = this.#failure ?? this.#refusal
    if (error) throw error
  }

  /** Resolves when a job arrives or every group is settled, whatever is first; says whether a job is waiting. */
  async #moreOrSettled(): Promise<boolean> {
    const arrival = new Promise<void>((resolve) => {
      this.#arrived = resolve
    })
    if (this.#waiting.length === 0) await Promise.race([this.#settling, arrival])
    return this.#waiting.length > 0
  }
}

/** Resolves once the requests that arrived in this turn of the event loop have been handled. */
const endOfTurn = () => new Promise((resolve) => setImmediate(resolve))
