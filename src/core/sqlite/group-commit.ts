// Decision: docs/decisions/storage-sqlite.md#group-commit

import type { DatabaseSync } from "node:sqlite"
import { type Change, OutcomeUnknown, StoreUnavailable } from "../domain/ports/store.ts"
import type { Checkpoint } from "./checkpoint.ts"
import { toSqliteError } from "./connection.ts"
import type { Disk } from "./disk.ts"
import { type CommitHooks, deliverResults, type Group, GroupTransaction, LoneWork, type QueuedWork } from "./group.ts"
import { type DiskReserve, isFullError } from "./reserve.ts"

const waitingMax = 10_000
const batchSize = 64

type Listener = (changes: ReadonlySet<Change>) => void

/**
 * Runs transactions one after the other and commits those that arrive together in a group. While one group is flushed the next
 * one runs; it commits when the one before is durable. Results, including refusals, are delivered and writes become readable
 * only once durable. A group without writes needs no flush.
 */
export class GroupCommit {
  readonly #transaction: GroupTransaction
  readonly #disk: Disk
  readonly #checkpoint: Checkpoint
  readonly #reserve: DiskReserve
  readonly #hooks: CommitHooks
  readonly #listeners = new Set<Listener>()
  readonly #waiting: QueuedWork[] = []
  readonly #alone = new LoneWork()
  #arrived = () => {}
  #wasFull = false
  #draining: Promise<void> | undefined
  /** Resolves when the last group is durable or rolled back, and its callers have their results. */
  #settling: Promise<void> = Promise.resolve()
  #isSettled = true
  #failure: StoreUnavailable | undefined
  /** Set while a flush takes too long. */
  #refusal: StoreUnavailable | undefined
  #flushing: Group | undefined
  /** Called when writes are refused. */
  #stalled = () => {}

  constructor(db: DatabaseSync, disk: Disk, checkpoint: Checkpoint, reserve: DiskReserve, hooks: CommitHooks) {
    this.#disk = disk
    this.#checkpoint = checkpoint
    this.#reserve = reserve
    this.#hooks = hooks
    this.#transaction = new GroupTransaction(db, this.#noteRollback)
  }

  /** Resolves with the result of `work`, which may run twice: the first run is rolled back then. */
  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#refusal) return Promise.reject(this.#refusal)
    if (this.#waiting.length >= waitingMax) return Promise.reject(new StoreUnavailable("too many writes are waiting"))
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as QueuedWork["resolve"], reject })
      this.#wake()
    })
  }

  /** Runs `work`, which commits by itself, once no transaction is open and every commit is durable. */
  alone(work: () => Promise<void>): Promise<void> {
    const done = this.#alone.add(work)
    this.#wake()
    return done
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Refuses transactions until `resume`, because the disk does not respond, and rolls back uncommitted ones. The outcome of
   * commits that wait for the disk is unknown; listeners are called if the disk completes them.
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

  resume(): void {
    this.#refusal = undefined
  }

  /** Why transactions are refused, as the end of a sentence. */
  get refusal(): string | undefined {
    return this.#refusal?.message
  }

  noteChange(change: Change): void {
    this.#transaction.noteChange(change)
  }

  noteWritten(rows: number): void {
    this.#transaction.noteWritten(rows)
  }

  /** Calls the listener after every commit that made changes; returns a function that stops it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async idle(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining
  }

  #wake(): void {
    this.#arrived()
    this.#draining ??= this.#drain()
  }

  async #drain(): Promise<void> {
    try {
      for (;;) {
        if (this.#waiting.length === 0) await this.#moreOrSettled()
        if (this.#waiting.length === 0 || this.#hasChores()) await this.#doChores()
        if (this.#alone.isWaiting) continue
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
      this.#reserve.renew()
      const position = this.#checkpoint.position()
      transaction.begin()
      for (; jobs.length > 0; jobs = await this.#takeMore(group)) await transaction.run(jobs, group)
      await this.#endOrStall(before)
      this.#requireDisk()
      this.#hooks.beforeCommit()
      transaction.commit()
      group.isCommitted = true
      // The log knows of writes that are no rows, but asking it takes longer than a row.
      group.isWritten = group.hasRows || position === undefined || position !== this.#checkpoint.position()
      this.#hooks.committed(group.isWritten)
    } catch (error) {
      transaction.abandon(error)
      group.results = group.jobs.map((job) => () => job.reject(toSqliteError(error)))
      // Otherwise they would wait for the disk.
      if (error === this.#refusal) deliverResults(group)
    }
    return group
  }

  /** Resolves when the previous group is settled or writes are refused: a group can be rolled back until its commit. */
  #endOrStall(before: Promise<void>): Promise<void> {
    if (this.#refusal) return Promise.resolve()
    return new Promise((resolve) => {
      this.#stalled = resolve
      void before.then(resolve)
    })
  }

  /** Jobs that arrive while the previous group is not settled. None do once writes are refused. */
  async #takeMore(group: Group): Promise<QueuedWork[]> {
    const mayWait = !this.#isSettled && !this.#refusal && group.jobs.length < batchSize
    return mayWait && (await this.#moreOrSettled()) ? this.#take(group) : []
  }

  #take(group: Group): QueuedWork[] {
    const jobs = this.#waiting.splice(0, batchSize - group.jobs.length)
    group.jobs.push(...jobs)
    return jobs
  }

  async #settle(group: Group, before: Promise<void>): Promise<void> {
    await before
    if (group.isWritten) {
      this.#flushing = group
      await this.#sync(() => this.#disk.syncLog())
      this.#flushing = undefined
    }
    this.#isSettled = true
    // The outcome is unknown, so callers receive no result.
    if (group.isWritten && this.#failure) return
    if (group.isWritten) this.#hooks.durable()
    deliverResults(group)
    if (group.isCommitted && group.changes.size > 0) for (const listener of this.#listeners) listener(group.changes)
  }

  /** Whether a task is due that requires no open transaction and durable commits. */
  #hasChores(): boolean {
    return this.#alone.isWaiting || this.#wasFull || this.#checkpoint.isDue()
  }

  async #doChores(): Promise<void> {
    await this.#settling
    await this.#alone.run({ ...this.#hooks, rolledBack: this.#noteRollback }, () => this.#requireDisk())
    if (this.#failure || !this.#hasChores()) return
    this.#hooks.durable()
    if (this.#wasFull) this.#reserve.spend()
    this.#wasFull = false
    if (this.#checkpoint.isDue()) await this.#sync(() => this.#checkpoint.run())
  }

  /** After a failed flush the system may consider unwritten pages as written, so a retry would succeed wrongly. Writing ends. */
  async #sync(sync: () => Promise<void>): Promise<void> {
    try {
      await sync()
    } catch (error) {
      this.#failure = new StoreUnavailable("the disk failed", { cause: error })
      this.#hooks.failed(this.#failure)
    }
  }

  readonly #noteRollback = (error: unknown): void => {
    this.#hooks.rolledBack(error)
    this.#wasFull ||= isFullError(error)
  }

  #requireDisk(): void {
    const error = this.#failure ?? this.#refusal
    if (error) throw error
  }

  /** Waits for a job or until every group is settled; returns whether a job is waiting. */
  async #moreOrSettled(): Promise<boolean> {
    const arrival = new Promise<void>((resolve) => {
      this.#arrived = resolve
    })
    if (this.#waiting.length === 0) await Promise.race([this.#settling, arrival])
    return this.#waiting.length > 0
  }
}

/** Resolves after the requests of this turn of the event loop. */
const endOfTurn = () => new Promise((resolve) => setImmediate(resolve))
