// Decision: docs/decisions/storage-sqlite.md#when-fdatasync-takes-longer-than-5-seconds-writes-are-refused

import { StoreUnavailable } from "../domain/ports/store.ts"
import { Durations, gauge, type Measured } from "../kernel/measure.ts"
import type { Disk } from "./disk.ts"

/** Writes are refused after a flush takes this long. */
const timeoutMs = 5_000
const reason = `the disk has not confirmed a write for ${timeoutMs / 1000} seconds`

/** Receives the reason when a part of the storage fails, as the end of a sentence, and undefined when it works again. */
export type ReportFailure = (part: "flush" | "checkpoint", reason: string | undefined) => void

type Hooks = {
  /** A flush takes too long; `refusal` is for writes. */
  stalled(refusal: StoreUnavailable): void
  /** A flush that took too long has succeeded. */
  answered(): void
}

type WatchedDisk = Disk &
  Measured & {
    /** Measures other work that ends with a flush of the log. */
    watch(work: () => Promise<void>): Promise<void>
  }

/** Measures flushes, of which one at a time is running. */
export function watchFlushes(disk: Disk, { stalled, answered }: Hooks): WatchedDisk {
  const durations = { log: new Durations(), database: new Durations() }
  let beganAt: number | undefined

  async function watch(file: keyof typeof durations, flush: () => Promise<void>): Promise<void> {
    const began = performance.now()
    let isStalled = false
    beganAt = began
    const timer = setTimeout(() => {
      // After a suspension of the process, the event loop first handles a completion that is already there.
      setImmediate(() => {
        if (beganAt !== began) return
        isStalled = true
        stalled(new StoreUnavailable(reason))
      })
    }, timeoutMs)
    try {
      await flush()
    } finally {
      clearTimeout(timer)
      beganAt = undefined
      durations[file].add((performance.now() - began) / 1000)
    }
    if (isStalled) answered()
  }

  return {
    syncLog: () => watch("log", disk.syncLog),
    syncDatabase: () => watch("database", disk.syncDatabase),
    watch: (work) => watch("log", work),
    close: disk.close,
    metrics: [
      {
        name: "petstore_database_flush_duration_seconds",
        help: "Flushes of the write-ahead log and of the database file to the disk",
        type: "histogram",
        labels: ["file"],
        read: () => Object.entries(durations).map(([file, distribution]) => ({ labels: { file }, distribution })),
      },
      gauge(
        "petstore_database_flush_age_seconds",
        "How long the flush under way has taken so far, 0 without one",
        () => (beganAt === undefined ? 0 : (performance.now() - beganAt) / 1000),
      ),
    ],
  }
}
