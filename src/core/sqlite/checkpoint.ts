// Decision: docs/decisions/storage-sqlite.md#checkpoints-copy-on-the-event-loop-and-flush-off-it

import { once } from "node:events"
import { statSync } from "node:fs"
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { Worker } from "node:worker_threads"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { gauge, type Measured } from "../kernel/measure.ts"
import { toSqliteError } from "./connection.ts"
import type { Disk } from "./disk.ts"
import { lastingReason } from "./watch-writes.ts"

/** Removing the end of a file blocks for tens of milliseconds for each 100 MB. */
const shrinkingHereMax = 32 * 1024 * 1024
/** Frames of one page in the log before they are copied into the database: 4 MB. */
export const framesMax = 1000
/** After a failure, unless the log grows by as many frames again. */
const retryMs = 5_000

/** Copies of the write-ahead log into the database. */
export type Checkpoint = Measured & {
  /** Makes the next one due at once: the database has become smaller. */
  request(): void
  isDue(): boolean
  /** The end of the log, which changes with every commit that writes. Undefined when unknown. Write nothing between `isDue` and this. */
  position(): string | undefined
  /** Called outside of transactions, when every commit is durable and nothing reads. */
  run(): Promise<void>
  /** The word for operators while the log cannot be copied; empty otherwise. */
  degraded(): readonly string[]
}

/**
 * Copies the write-ahead log into the database, so that the log starts over, and waits for the disk off the event loop. The log
 * must be durable before it is copied, and the database before the log is overwritten. SQLite would ensure that inside the
 * checkpoint, which blocks the event loop. Synchronous is off for it: every commit is durable before `run` is called, and no
 * transaction starts before it ends. `report` is called with the reason when copying starts to fail, and with undefined when it works
 * again.
 */
export function createCheckpoint(
  writer: DatabaseSync,
  disk: Pick<Disk, "syncDatabase">,
  report: (reason: string | undefined) => void,
): Checkpoint {
  const log = openLog(writer)
  /** Frames that could not be copied, because a tool reads an older state or the machine failed. */
  let left = 0
  /** Why the last copy failed; the log grows meanwhile, and nothing is lost. */
  let failure: string | undefined
  let isPausing = false
  let isRequested = false
  /** What `isDue` has measured for `position`: measuring takes file locks. */
  let measured: Copied | undefined

  function noteFailure(reason: string): void {
    if (failure === undefined) report(reason)
    failure = reason
    left = log.measure().left
    isPausing = true
    setTimeout(() => {
      isPausing = false
    }, retryMs).unref()
  }

  return {
    request() {
      isRequested = true
    },

    isDue() {
      if (isRequested) return true
      measured = log.measure()
      const frames = measured.left
      // On a full disk the reserve empties the log, too.
      left = Math.min(left, frames)
      return frames - left >= framesMax || (failure !== undefined && !isPausing)
    },

    position() {
      const { end } = measured ?? log.measure()
      measured = undefined
      return end
    },

    async run() {
      isRequested = false
      measured = undefined
      const copied = await log.copy()
      left = copied.left
      if (copied.reason !== undefined) return noteFailure(copied.reason)
      await disk.syncDatabase()
      if (failure !== undefined) report(undefined)
      failure = undefined
    },

    degraded: () => (failure === undefined ? [] : ["checkpoint"]),

    metrics: [
      gauge(
        "petstore_database_checkpoint_failing",
        "1 while the write-ahead log cannot be copied into the database",
        () => (failure === undefined ? 0 : 1),
      ),
    ],
  }
}

/** The frames left to copy, and the end of the log. When the machine fails these are unknown; `reason` says why unless it is temporary. */
type Copied = { left: number; end?: string; reason?: string | undefined }

/** The write-ahead log of a database. Synchronous is off while it is copied: the caller flushes before and after. */
function openLog(writer: DatabaseSync) {
  // Before SQLite 3.51, NOOP means PASSIVE, which is slower and as safe.
  const measure = writer.prepare("PRAGMA wal_checkpoint(NOOP)")
  const copy = writer.prepare("PRAGMA wal_checkpoint(PASSIVE)")
  const size = writer.prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
  const file = writer.location() as string

  function copyHere(): Copied {
    writer.exec("PRAGMA synchronous = OFF")
    try {
      return read(copy)
    } finally {
      writer.exec("PRAGMA synchronous = NORMAL")
    }
  }

  function isShrinking(): boolean {
    const { bytes } = size.get() as { bytes: number }
    return statSync(file).size - bytes > shrinkingHereMax
  }

  return {
    measure: () => read(measure),
    /** Copies the log into the database, on a thread of its own when the file becomes much smaller. */
    copy: async () => (isShrinking() ? ((await copyElsewhere(file)) ?? copyHere()) : copyHere()),
  }
}

/** A program for a thread: another connection, which the caller flushes for. */
const copying = `
  const { parentPort, workerData } = require("node:worker_threads")
  const { DatabaseSync } = require("node:sqlite")
  const database = new DatabaseSync(workerData, { timeout: 1000 })
  database.exec("PRAGMA synchronous = OFF")
  parentPort.postMessage({ ...database.prepare("PRAGMA wal_checkpoint(PASSIVE)").get() })
  database.close()
`

/** Undefined when that is not possible. */
async function copyElsewhere(file: string): Promise<Copied | undefined> {
  const thread = new Worker(copying, {
    eval: true,
    workerData: file,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  })
  try {
    const [result] = await once(thread, "message")
    return toCopied(result)
  } catch {
    return undefined
  } finally {
    await thread.terminate()
  }
}

function read(statement: StatementSync): Copied {
  try {
    return toCopied(statement.get() as CheckpointResult)
  } catch (error) {
    if (!(toSqliteError(error) instanceof StoreUnavailable)) throw error
    return { left: 0, reason: lastingReason(error) }
  }
}

/** The row of a checkpoint: frames in the log, and those of them that the database contains. */
type CheckpointResult = { log: number; checkpointed: number }

const toCopied = ({ log, checkpointed }: CheckpointResult): Copied => ({
  left: log - checkpointed,
  end: `${log} ${checkpointed}`,
})
