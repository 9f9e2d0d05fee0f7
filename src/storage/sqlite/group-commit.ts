import type { DatabaseSync } from "node:sqlite"
import { type Change, StoreUnavailable } from "../../domain/ports.ts"
import type { createCheckpoint } from "./checkpoint.ts"
import { toStoreError } from "./connection.ts"
import type { Disk } from "./disk.ts"
import { type Group, GroupTransaction, type Job } from "./group.ts"
import type { DiskReserve } from "./reserve.ts"

const waitingMax = 10_000
const batchMax = 64

type Listener = (changes: ReadonlySet<Change>) => void
type Hooks = {
  /** Called before a commit, which readers must not see yet. */
  beforeCommit(): void
  /** Called after a commit, which no rollback can undo any more. */
  committed(): void
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
 * and nobody reads what was written, before it is durable.
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

  constructor(db: DatabaseSync, parts: Parts) {
    this.#parts = parts
    this.#transaction = new GroupTransaction(db, (error) => {
      parts.hooks.rolledBack(error)
      this.#wasFull ||= isFull(error)
    })
  }

  /** Resolves with what the work resolves with; it may be run twice, and what it did the first time is undone then. */
  run<T>(work: () => Promise<T>): Promise<T> {
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
      transaction.begin()
      for (; jobs.length > 0; jobs = await this.#takeMore(group)) await transaction.run(jobs, group)
      await before
      this.#requireDisk()
      this.#parts.hooks.beforeCommit()
      transaction.commit()
      this.#parts.hooks.committed()
      group.isCommitted = true
    } catch (error) {
      transaction.abandon(error)
      group.notifications = group.jobs.map((job) => () => job.reject(toStoreError(error)))
    }
    return group
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
    if (group.isCommitted) await this.#sync(() => this.#parts.disk.syncLog())
    this.#isSettled = true
    // Whether it is stored is not known, so nobody can be told anything.
    if (group.isCommitted && this.#failure) return
    if (group.isCommitted) this.#parts.hooks.durable()
    for (const notify of group.notifications) notify()
    if (group.isCommitted && group.changes.size > 0) for (const listener of this.#listeners) listener(group.changes)
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
    if (this.#failure) throw this.#failure
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

/** Whether it is SQLITE_FULL, as thrown by SQLite or wrapped for the domain. */
const isFull = (error: unknown): boolean =>
  ((error as { errcode?: number }).errcode ?? (error as { cause?: { errcode?: number } }).cause?.errcode) === 13

/** Resolves once the requests that arrived in this turn of the event loop have been handled. */
const endOfTurn = () => new Promise((resolve) => setImmediate(resolve))
