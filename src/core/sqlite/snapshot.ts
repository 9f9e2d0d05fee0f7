// Decision: docs/decisions/storage-sqlite.md#reads-hold-a-snapshot-between-commits

import { DatabaseSync, type StatementSync } from "node:sqlite"
import { TextMemory } from "../sql/pages/text-memory.ts"
import type { SqlConnection } from "../sql/statement.ts"
import { sqliteConnection } from "./connection.ts"
import { SnapshotMemory } from "./snapshot-memory.ts"

/** The snapshot that readers share until the next commit is durable. There are no other writers, so a read takes no file locks. */
export class Snapshot {
  readonly #reader: DatabaseSync
  readonly #memory = new SnapshotMemory()
  readonly texts: TextMemory
  readonly #anyRow: StatementSync

  constructor(file: string, cacheKiB: number) {
    this.#reader = new DatabaseSync(file, { readOnly: true })
    this.#reader.exec(`PRAGMA busy_timeout = 5000; PRAGMA cache_size = -${cacheKiB}`)
    this.texts = new TextMemory(cacheKiB * 1024)
    this.#anyRow = this.#reader.prepare("SELECT 1 FROM sqlite_schema LIMIT 1")
  }

  connect(): SqlConnection {
    return sqliteConnection(this.#reader, { beforeEach: () => this.#hold(), memory: this.#memory, texts: this.texts })
  }

  /** Fixes the snapshot now: a transaction has none before its first read. */
  pin(): void {
    this.texts.commit()
    this.#hold()
    this.#anyRow.get()
  }

  /** Lets the next read see the latest commit. */
  release(): void {
    this.#memory.clear()
    this.texts.release()
    if (this.#reader.isTransaction) this.#reader.exec("ROLLBACK")
  }

  close(): void {
    this.#reader.close()
  }

  #hold(): void {
    if (!this.#reader.isTransaction) this.#reader.exec("BEGIN")
  }
}
