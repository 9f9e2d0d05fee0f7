import type { DatabaseSync } from "node:sqlite"
import type { Change } from "../../domain/ports/store.ts"
import { ofCommit } from "./connection.ts"

/** How many groups have savepoints after one that needed them: who sends such jobs on and on has few groups run twice. */
const guardedGroups = 64

export type Job = { work: () => Promise<unknown>; resolve: (value: unknown) => void; reject: (error: unknown) => void }

/** Jobs that are committed together, and who is to be told what about them. */
export type Group = {
  jobs: Job[]
  notifications: (() => void)[]
  changes: Set<Change>
  /** Whether each job runs in a savepoint, so that it can be undone alone. */
  isGuarded: boolean
  isCommitted: boolean
  /** Whether the commit wrote anything that the disk must take. */
  isWritten: boolean
}

/** Tells the callers of a group what became of their jobs, once. */
export function notifyAll({ notifications }: Group): void {
  for (const notify of notifications.splice(0)) notify()
}

/**
 * Runs the jobs of one group after the other in the transaction of a connection. A savepoint costs a fifth of a job, so they run
 * without; when one that has written fails, all of its group are undone and run again, now in savepoints.
 */
export class GroupTransaction {
  readonly #db: DatabaseSync
  readonly #control: Control
  readonly #rolledBack: (error: unknown) => void
  /** How many groups are still to have savepoints. */
  #guarded = 0
  /** What the job that is running has changed. */
  #changes = new Set<Change>()

  /** `rolledBack` is called with what was thrown when a job, or all of a group, were undone. */
  constructor(db: DatabaseSync, rolledBack: (error: unknown) => void) {
    this.#db = db
    this.#control = prepareControl(db)
    this.#rolledBack = rolledBack
  }

  newGroup(): Group {
    const isGuarded = this.#guarded > 0
    if (isGuarded) this.#guarded--
    return { jobs: [], notifications: [], changes: new Set(), isGuarded, isCommitted: false, isWritten: false }
  }

  /** Notes what the job that is running has changed. */
  noteChange(change: Change): void {
    this.#changes.add(change)
  }

  begin(): void {
    this.#control.begin.run()
  }

  commit(): void {
    try {
      this.#control.commit.run()
    } catch (error) {
      throw ofCommit(error)
    }
  }

  /** Undoes everything, whatever state the transaction is in. */
  abandon(error: unknown): void {
    if (this.#db.isTransaction) this.#control.undo.run()
    this.#rolledBack(error)
  }

  /** Runs jobs of the group; throws when the whole transaction is lost. */
  async run(jobs: readonly Job[], group: Group): Promise<void> {
    for (const job of jobs) {
      if (await this.#attempt(job, group)) continue
      this.#startAnew(group)
      return this.run(group.jobs, group)
    }
  }

  #startAnew(group: Group): void {
    this.#control.undo.run()
    group.notifications = []
    group.changes.clear()
    group.isGuarded = true
    this.#guarded = guardedGroups
    this.#control.begin.run()
  }

  /** False when the job has failed and what it wrote can only be undone with the whole transaction. */
  async #attempt({ work, resolve, reject }: Job, group: Group): Promise<boolean> {
    const { open, release, rollback } = this.#control
    this.#changes = new Set()
    if (group.isGuarded) open.run()
    const written = group.isGuarded ? 0 : this.#written()
    try {
      const value = await work()
      if (group.isGuarded) release.run()
      group.notifications.push(() => resolve(value))
      for (const change of this.#changes) group.changes.add(change)
    } catch (error) {
      if (!this.#db.isTransaction) throw error
      if (group.isGuarded) {
        rollback.run()
        release.run()
      }
      this.#rolledBack(error)
      if (!group.isGuarded && this.#written() !== written) return false
      group.notifications.push(() => reject(error))
    }
    return true
  }

  /** How many rows the connection has written; what was undone counts. */
  #written(): number {
    return (this.#control.written.get() as { rows: number }).rows
  }
}

type Control = ReturnType<typeof prepareControl>

/** Prepared, because parsing them takes longer than carrying them out. */
const prepareControl = (db: DatabaseSync) => ({
  begin: db.prepare("BEGIN IMMEDIATE"),
  written: db.prepare("SELECT total_changes() AS rows"),
  open: db.prepare("SAVEPOINT job"),
  release: db.prepare("RELEASE job"),
  rollback: db.prepare("ROLLBACK TO job"),
  undo: db.prepare("ROLLBACK"),
  commit: db.prepare("COMMIT"),
})
