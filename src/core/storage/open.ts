import { dirname } from "node:path"
import { openDiskBlobs } from "../disk/blobs.ts"
import { tightenData } from "../disk/data-directory.ts"
import { everyAccount } from "../domain/accounts/model.ts"
import type { BlobStore } from "../domain/ports/blobs.ts"
import type { Limiter } from "../domain/ports/limiter.ts"
import type { Invalidation } from "../domain/ports/signals.ts"
import type { Database } from "../domain/ports/store.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Attempts } from "../kernel/flow/attempts.ts"
import type { Measured } from "../kernel/measure.ts"
import { type MemoryAttempts, memoryAttempts } from "../memory/attempts.ts"
import { memoryLimiter } from "../memory/limiter.ts"
import { memorySignals } from "../memory/signals.ts"
import { openSqlite } from "../sqlite/open.ts"
import type { ReportFailure } from "../sqlite/watch-flushes.ts"
import type { Locations } from "./locations.ts"
import type { ServiceBlobs, StartOfBlobs } from "./service-blobs.ts"

/** Where the data of a service are opened. */
export type Storage = {
  /** Opens the database; `exposed` are paths that other users of this machine can read. Throws CannotStart. */
  openDatabase(locations: Locations, report?: ReportFailure): Promise<{ store: Database; exposed: string[] }>
  /** Opens the images for a service. Throws CannotStart. */
  openServiceBlobs(locations: Pick<Locations, "images">, start: ServiceStart): Promise<ServiceBlobs>
  /** Opens limits, attempts and signals. Throws CannotStart. */
  openCounters(locations: Pick<Locations, "redisUrl">, store: Database, counting: Counting): Promise<Counters>
}

/** Storage on this machine: SQLite, a directory of images, and counters in this process. */
export const localStorage: Storage = {
  async openDatabase(locations, report = () => {}) {
    const exposed = tightenDirectories(locations)
    return { store: openSqlite(fileOf(locations), { report }), exposed }
  },
  async openServiceBlobs({ images }, start) {
    if (images.kind !== "disk") throw notInThisBuild("images in S3")
    return openBoundDisk(openDiskBlobs(images.directory), images.directory, start)
  },
  async openCounters({ redisUrl }, store, counting) {
    if (redisUrl !== undefined) throw notInThisBuild("counters in Redis")
    return openAnnouncing(store, await openMemory(store, counting))
  },
}

/** The file of an SQLite database. Throws CannotStart for another database. */
function fileOf({ database }: Pick<Locations, "database">): string {
  if (database.kind === "sqlite") return database.file
  throw notInThisBuild("a database on PostgreSQL")
}

const notInThisBuild = (what: string) => new CannotStart(`${what} needs the part replicas, which this build leaves out`)

/** Makes the directories of a service private; returns the paths that other users of this machine can read. */
export const tightenDirectories = ({ dataDir, database, images }: Locations): string[] =>
  tightenData({
    dataDir,
    databaseFile: database.kind === "sqlite" ? database.file : undefined,
    imageDirectory: images.directory,
  })

export type ServiceStart = Omit<StartOfBlobs, "bind"> & { bind(blobs: BlobStore, name: string): Promise<void> }

/** Binds images on the disk, which are always within reach. */
export async function openBoundDisk(
  blobs: BlobStore,
  name: string,
  { bind }: Pick<ServiceStart, "bind">,
): Promise<ServiceBlobs> {
  await bind(blobs, name)
  return { blobs, isAway: () => false, close() {} }
}

/** The directories of this machine that hold data, by what they hold. */
export const disksOf = ({ database, images }: Locations): Record<string, string> => ({
  ...(database.kind === "sqlite" && { database: dirname(database.file) }),
  ...(images.kind === "disk" && { images: images.directory }),
})

/** Limits, attempts and signals: what is kept beside the database. */
export type Counters = {
  limiter: Limiter
  signals: Invalidation
  /** A separate counter for each kind of attempt. */
  attempts(kind: string): Attempts
  /** Resets the counts of this process, not those that replicas share. */
  forget(): Promise<void>
  /** Whether Redis is unavailable, so that each replica counts for itself. */
  isAway(): boolean
  /** Stores the counts, then closes. */
  close(): Promise<void>
} & Partial<Measured>

type Counting = {
  /** A clock that never jumps. */
  clock: Clock
  /** Receives errors of storing counts, which is retried. */
  report(error: unknown): void
  /** Receives the reason when shared counters become unreachable, and undefined when they are reachable again. */
  reportOutage(reason: string | undefined): void
  /** The number of serving replicas, including this one. */
  liveReplicas(): number
}

/** After a commit whose outcome is unknown, every credential is looked up again: the change was announced before it could be read. */
export function openAnnouncing(store: Database, counters: Counters): Counters {
  store.onCommit((changes) => {
    if (changes.has("outcome-unknown"))
      void counters.signals.announce({ kind: "credentials-changed", accountId: everyAccount })
  })
  return counters
}

async function openMemory(store: Database, { clock, report }: Counting): Promise<Counters> {
  const limiter = await memoryLimiter(store, clock, report)
  const kinds: MemoryAttempts[] = []
  return {
    limiter,
    signals: memorySignals(),
    attempts() {
      const kind = memoryAttempts(clock)
      kinds.push(kind)
      return kind
    },
    async forget() {
      for (const kind of kinds) kind.forget()
      await limiter.forget()
    },
    isAway: () => false,
    close: () => limiter.flush(),
  }
}
