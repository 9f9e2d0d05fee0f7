import { StoreUnavailable } from "../../domain/ports/store.ts"
import { Durations, gauge, type Measured } from "../../kernel/measure.ts"
import type { Disk } from "./disk.ts"

/** How long a flush may take before writes are refused. */
const patienceMs = 5_000
const reason = `the disk has not confirmed a write for ${patienceMs / 1000} seconds`

/** Is told why a part of the storage fails, as the end of a sentence, and undefined when it works again. */
export type Tell = (part: "flush" | "checkpoint", reason: string | undefined) => void

type Hooks = {
  /** Called when a flush takes too long, with the refusal of writes. */
  stalled(refusal: StoreUnavailable): void
  /** Called when a flush that took too long has succeeded. */
  answered(): void
}

/** The same disk, with the time of each flush measured. Only one flush is under way at a time. */
export function watchFlushes(disk: Disk, { stalled, answered }: Hooks): Disk & Measured {
  const durations = { log: new Durations(), database: new Durations() }
  let beganAt: number | undefined

  async function watch(file: keyof typeof durations, flush: () => Promise<void>): Promise<void> {
    const began = performance.now()
    let isStalled = false
    beganAt = began
    const timer = setTimeout(() => {
      // The process itself may have been suspended: first the event loop handles a completion that is there already.
      setImmediate(() => {
        if (beganAt !== began) return
        isStalled = true
        stalled(new StoreUnavailable(reason))
      })
    }, patienceMs)
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
    close: disk.close,
    metrics: [
      {
        name: "petstore_database_flush_duration_seconds",
        help: "Flushes of the write-ahead log and of the database file to the disk",
        type: "histogram",
        labels: ["file"],
        read: () => Object.entries(durations).map(([file, durations]) => ({ labels: { file }, durations })),
      },
      gauge(
        "petstore_database_flush_age_seconds",
        "How long the flush under way has taken so far, 0 without one",
        () => (beganAt === undefined ? 0 : (performance.now() - beganAt) / 1000),
      ),
    ],
  }
}
