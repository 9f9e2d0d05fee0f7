import type { DatabaseSync } from "node:sqlite"
import { type Change, StoreUnavailable } from "../../domain/ports.ts"
import { toStoreError } from "./connection.ts"
import type { createDiskReserve } from "./reserve.ts"

const waitingMax = 10_000
const batchMax = 64

type Reserve = ReturnType<typeof createDiskReserve>
type Listener = (changes: ReadonlySet<Change>) => void
type Hooks = {
  beforeCommit(): void
  /** Called once a commit is durable. */
  committed(): void
  /** Called after one job, or all that were to be committed together, were undone. */
  rolledBack(): void
}
type Job = { work: () => Promise<unknown>; resolve: (value: unknown) => void; reject: (error: unknown) => void }

/**
 * Runs transactions one after the other; those that arrive together are committed together, each in a savepoint of its
 * own, and no result is returned before the commit that holds it has reached the disk.
 */
export class GroupCommit {
  readonly #db: DatabaseSync
  readonly #hooks: Hooks
  readonly #control: Control
  readonly #reserve: Reserve
  readonly #listeners = new Set<Listener>()
  #waiting: Job[] = []
  /** What the job that is running has changed. */
  #changes = new Set<Change>()
  #wasFull = false
  #draining: Promise<void> | undefined

  constructor(db: DatabaseSync, reserve: Reserve, hooks: Hooks) {
    this.#db = db
    this.#hooks = hooks
    this.#control = prepareControl(db)
    this.#reserve = reserve
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length >= waitingMax) return Promise.reject(new StoreUnavailable("too many writes are waiting"))
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as Job["resolve"], reject })
      this.#draining ??= this.#drain()
    })
  }

  /** Notes what the transaction that is running has changed. */
  noteChange(change: Change): void {
    this.#changes.add(change)
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
      while (this.#waiting.length > 0) {
        await endOfTurn()
        await this.#commit(this.#waiting.splice(0, batchMax))
      }
    } finally {
      this.#draining = undefined
    }
  }

  async #commit(jobs: Job[]): Promise<void> {
    const notifications: (() => void)[] = []
    const changes = new Set<Change>()
    try {
      this.#reserve.renew()
      this.#control.begin.run()
      for (const job of jobs) {
        this.#changes = new Set()
        notifications.push(await this.#attempt(job))
        for (const change of this.#changes) changes.add(change)
      }
      this.#hooks.beforeCommit()
      this.#control.commit.run()
      this.#hooks.committed()
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK")
      this.#hooks.rolledBack()
      this.#wasFull ||= isFull(error)
      notifications.splice(0, notifications.length, ...jobs.map((job) => () => job.reject(toStoreError(error))))
      changes.clear()
    }
    for (const notify of notifications) notify()
    if (changes.size > 0) for (const listener of this.#listeners) listener(changes)
    if (this.#wasFull) this.#makeRoom()
  }

  #makeRoom(): void {
    this.#wasFull = false
    this.#hooks.beforeCommit()
    this.#reserve.spend()
  }

  /** Runs one job in its savepoint; returns what tells its caller, and throws when the whole transaction is lost. */
  async #attempt({ work, resolve, reject }: Job): Promise<() => void> {
    this.#control.open.run()
    try {
      const value = await work()
      this.#control.release.run()
      return () => resolve(value)
    } catch (error) {
      if (!this.#db.isTransaction) throw error
      this.#control.rollback.run()
      this.#control.release.run()
      this.#hooks.rolledBack()
      this.#changes.clear()
      this.#wasFull ||= isFull(error)
      return () => reject(error)
    }
  }
}

type Control = ReturnType<typeof prepareControl>

/** Prepared, because parsing them takes longer than carrying them out. */
const prepareControl = (db: DatabaseSync) => ({
  begin: db.prepare("BEGIN IMMEDIATE"),
  open: db.prepare("SAVEPOINT job"),
  release: db.prepare("RELEASE job"),
  rollback: db.prepare("ROLLBACK TO job"),
  commit: db.prepare("COMMIT"),
})

/** Whether it is SQLITE_FULL, as thrown by SQLite or wrapped for the domain. */
const isFull = (error: unknown): boolean =>
  ((error as { errcode?: number }).errcode ?? (error as { cause?: { errcode?: number } }).cause?.errcode) === 13

/** Resolves once the requests that arrived in this turn of the event loop have been handled. */
const endOfTurn = () => new Promise((resolve) => setImmediate(resolve))
