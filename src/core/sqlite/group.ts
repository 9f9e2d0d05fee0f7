// Decision: docs/decisions/storage-sqlite.md#no-savepoints-in-a-group-until-one-is-needed

import type { DatabaseSync, StatementSync } from "node:sqlite"
import type { Change, StoreUnavailable } from "../domain/ports/store.ts"
import { toSqliteCommitError } from "./connection.ts"

/** Groups with savepoints after one that needed them, so that repeated failures make few groups run twice. */
const guardedGroups = 64

export type CommitHooks = {
  /** Before a commit, which readers must not see yet. */
  beforeCommit(): void
  /** After a commit, which can no longer be rolled back; `isWritten` is false for an empty one. */
  committed(isWritten: boolean): void
  /** Once a commit is durable: readers must see it from now on. */
  durable(): void
  /** After one job, or its whole group, was rolled back. */
  rolledBack(error: unknown): void
  /** Once, when the disk has failed and writing has ended. */
  failed(error: StoreUnavailable): void
}

export type QueuedWork = {
  work: () => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** Jobs that are committed together, and their results. */
export type Group = {
  jobs: QueuedWork[]
  results: (() => void)[]
  changes: Set<Change>
  /** Whether each job runs in a savepoint, so that it can be rolled back alone. */
  isGuarded: boolean
  /** Whether a job has written rows that were not rolled back. */
  hasRows: boolean
  isCommitted: boolean
  /** Whether the commit must be flushed. */
  isWritten: boolean
}

/** Delivers the results of a group, once. */
export function deliverResults({ results }: Group): void {
  for (const deliver of results.splice(0)) deliver()
}

/**
 * Runs the jobs of a group in one transaction. A savepoint costs a fifth of a job, so there is none at first; when a job that
 * has written fails, its group is rolled back and runs again with savepoints.
 */
export class GroupTransaction {
  readonly #db: DatabaseSync
  readonly #control: Control
  readonly #rolledBack: (error: unknown) => void
  #guarded = 0
  /** Changes made by the running job. */
  #changes = new Set<Change>()
  /** The number of written rows, including rolled back ones. */
  #written = 0

  /** `rolledBack` receives the error when a job, or a whole group, was rolled back. */
  constructor(db: DatabaseSync, rolledBack: (error: unknown) => void) {
    this.#db = db
    this.#control = prepareControl(db)
    this.#rolledBack = rolledBack
  }

  newGroup(): Group {
    const isGuarded = this.#guarded > 0
    if (isGuarded) this.#guarded--
    return {
      jobs: [],
      results: [],
      changes: new Set(),
      isGuarded,
      hasRows: false,
      isCommitted: false,
      isWritten: false,
    }
  }

  noteChange(change: Change): void {
    this.#changes.add(change)
  }

  noteWritten(rows: number): void {
    this.#written += rows
  }

  begin(): void {
    this.#control.begin.run()
  }

  commit(): void {
    try {
      this.#control.commit.run()
    } catch (error) {
      throw toSqliteCommitError(error)
    }
  }

  /** Rolls back everything, in any state of the transaction. */
  abandon(error: unknown): void {
    if (this.#db.isTransaction) this.#control.undo.run()
    this.#rolledBack(error)
  }

  /** Throws when the whole transaction is lost. */
  async run(jobs: readonly QueuedWork[], group: Group): Promise<void> {
    for (const job of jobs) {
      if (await this.#attempt(job, group)) continue
      this.#restart(group)
      return this.run(group.jobs, group)
    }
  }

  #restart(group: Group): void {
    this.#control.undo.run()
    group.results = []
    group.changes.clear()
    group.hasRows = false
    group.isGuarded = true
    this.#guarded = guardedGroups
    this.#control.begin.run()
  }

  /** False when the job failed and only the whole transaction can be rolled back. */
  async #attempt({ work, resolve, reject }: QueuedWork, group: Group): Promise<boolean> {
    const { open, release, rollback } = this.#control
    this.#changes = new Set()
    if (group.isGuarded) open.run()
    const written = this.#written
    try {
      const value = await work()
      if (group.isGuarded) release.run()
      group.hasRows ||= this.#written !== written
      group.results.push(() => resolve(value))
      for (const change of this.#changes) group.changes.add(change)
    } catch (error) {
      if (!this.#db.isTransaction) throw error
      if (group.isGuarded) {
        rollback.run()
        release.run()
      }
      this.#rolledBack(error)
      if (!group.isGuarded && this.#written !== written) return false
      group.results.push(() => reject(error))
    }
    return true
  }
}

/** The statements that control a transaction, in which every job may have a savepoint. */
type Control = {
  begin: StatementSync
  open: StatementSync
  release: StatementSync
  rollback: StatementSync
  undo: StatementSync
  commit: StatementSync
}

/** Prepared, because parsing takes longer than running them. */
const prepareControl = (db: DatabaseSync): Control => ({
  begin: db.prepare("BEGIN IMMEDIATE"),
  open: db.prepare("SAVEPOINT job"),
  release: db.prepare("RELEASE job"),
  rollback: db.prepare("ROLLBACK TO job"),
  undo: db.prepare("ROLLBACK"),
  commit: db.prepare("COMMIT"),
})

/** Work that commits by itself, on another connection, and waits until no transaction is open. */
export class LoneWork {
  readonly #waiting: QueuedWork[] = []

  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  add(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ work, resolve: () => resolve(), reject })
    })
  }

  /** Runs what waits, one after the other. Call it while every commit is durable; `requireDisk` throws when nothing may be written. */
  async run(hooks: CommitHooks, requireDisk: () => void): Promise<void> {
    for (const { work, resolve, reject } of this.#waiting.splice(0))
      try {
        requireDisk()
        hooks.beforeCommit()
        await work()
        hooks.committed(true)
        hooks.durable()
        resolve(undefined)
      } catch (error) {
        hooks.rolledBack(error)
        reject(toSqliteCommitError(error))
      }
  }
}
