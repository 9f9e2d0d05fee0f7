import { DatabaseSync, type StatementSync } from "node:sqlite"
import type { Connection } from "../sql/statement.ts"
import { sqliteConnection } from "./connection.ts"
import { SnapshotMemory } from "./snapshot-memory.ts"

/**
 * What readers see. Nobody else writes, so one snapshot serves every read until the next commit is durable: a read costs no
 * file locks.
 */
export class Snapshot {
  readonly #reader: DatabaseSync
  readonly #memory = new SnapshotMemory()
  readonly #anyRow: StatementSync

  constructor(file: string, cacheKiB: number) {
    this.#reader = new DatabaseSync(file, { readOnly: true })
    this.#reader.exec(`PRAGMA busy_timeout = 5000; PRAGMA cache_size = -${cacheKiB}`)
    this.#anyRow = this.#reader.prepare("SELECT 1 FROM sqlite_schema LIMIT 1")
  }

  /** A connection that reads in it. */
  connect(): Connection {
    return sqliteConnection(this.#reader, { beforeEach: () => this.#hold(), memory: this.#memory })
  }

  /** Fixes it to what is stored now: a transaction has no snapshot before its first read. */
  pin(): void {
    this.#hold()
    this.#anyRow.get()
  }

  /** Lets the next read see what is stored then. */
  release(): void {
    this.#memory.clear()
    if (this.#reader.isTransaction) this.#reader.exec("ROLLBACK")
  }

  close(): void {
    this.#reader.close()
  }

  #hold(): void {
    if (!this.#reader.isTransaction) this.#reader.exec("BEGIN")
  }
}
