import { dirname } from "node:path"
import { everyAccount } from "../domain/accounts/model.ts"
import type { BlobReader } from "../domain/images/store.ts"
import type { Attempts } from "../domain/ports/attempts.ts"
import type { BlobStore } from "../domain/ports/blobs.ts"
import type { Limiter } from "../domain/ports/limiter.ts"
import type { Invalidation } from "../domain/ports/signals.ts"
import type { Database, Store } from "../domain/ports/store.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Measured } from "../kernel/measure.ts"
import { openDiskBlobs, readDiskBlobs } from "./disk/blobs.ts"
import { tightenData } from "./disk/data-directory.ts"
import { memoryAttempts } from "./memory/attempts.ts"
import { memoryLimiter } from "./memory/limiter.ts"
import { memorySignals } from "./memory/signals.ts"
import type { Places } from "./places.ts"
import { endProcess, openDisk } from "./sqlite/disk.ts"
import { migrateSqlite, openSqlite } from "./sqlite/open.ts"
import type { Tell } from "./sqlite/watch-flushes.ts"

/**
 * Opens the database; `exposed` are paths that others on this machine may look into. `tell` hears of failures of the machine that
 * the database survives. Throws CannotStart.
 */
export async function openDatabase(
  places: Places,
  tell: Tell = () => {},
): Promise<{ store: Database; exposed: string[] }> {
  const { dataDir, database, images } = places
  const databaseFile = database.kind === "sqlite" ? database.file : undefined
  const exposed = tightenData({ dataDir, databaseFile, imageDirectory: images.directory })
  if (database.kind === "sqlite") return { store: openSqlite(database.file, { openDisk, endProcess, tell }), exposed }
  // Only here: a service on SQLite does without the driver.
  const { openPostgres } = await import("./postgres/open.ts")
  return { store: await openPostgres(database.url, database), exposed }
}

/** Brings the database up to date; returns the versions of its schema before and after. Throws CannotStart. */
export async function migrateDatabase({ database }: Places): Promise<{ from: number; to: number }> {
  if (database.kind === "sqlite") return migrateSqlite(database.file)
  const { migratePostgres } = await import("./postgres/open.ts")
  return migratePostgres(database.url)
}

/** Opens the place of the images; `name` is what messages call it. Throws CannotStart. */
export async function openBlobs({ images }: Places): Promise<{ blobs: BlobStore; name: string }> {
  if (images.kind === "disk") return { blobs: await openDiskBlobs(images.directory), name: images.directory }
  const { openS3Blobs } = await import("./s3/blobs.ts")
  return { blobs: await openS3Blobs(images), name: `s3://${images.bucket}/${images.prefix}` }
}

/** Opens the place of the images for a reader, and makes nothing there. Throws CannotStart. */
export async function readBlobs({ images }: Pick<Places, "images">): Promise<BlobReader> {
  if (images.kind === "disk") return readDiskBlobs(images.directory)
  const { readS3Blobs } = await import("./s3/blobs.ts")
  return readS3Blobs(images)
}

/** Directories of this machine that data is in, by what they hold. */
export const disksOf = ({ database, images }: Places): Record<string, string> => ({
  ...(database.kind === "sqlite" && { database: dirname(database.file) }),
  ...(images.kind === "disk" && { images: images.directory }),
})

/** What is counted and announced beside the database. */
type Counters = {
  limiter: Limiter & { save(): Promise<void> }
  signals: Invalidation
  /** A counter of its own for each kind of attempt. */
  attempts(kind: string): Attempts
  /** Forgets what this process has counted; what replicas share is counted on. */
  forget(): Promise<void>
  /** Whether what replicas share is out of reach, and each goes on by itself. */
  isAway(): boolean
  /** Lets go of everything, after what was counted is stored. */
  close(): Promise<void>
} & Partial<Measured>

type Counting = {
  /** A clock that never jumps. */
  clock: Clock
  /** Is told what could not be stored, and is tried again. */
  report(error: unknown): void
  /** Is told what is wrong when Redis goes away, and undefined when it is back. */
  tell(reason: string | undefined): void
  /** How many replicas are serving, this one included. */
  liveReplicas(): number
}

/** Opens the counters: in Redis where there is one, else in this process. Throws CannotStart. */
export async function openCounters(
  places: Pick<Places, "redisUrl">,
  store: Database,
  counting: Counting,
): Promise<Counters> {
  const counters = await openCountersIn(places, store, counting)
  // The change of a credential may be among them, which was announced before it could be read.
  store.onCommit((changes) => {
    if (changes.has("outcome-unknown"))
      void counters.signals.announce({ kind: "credentials-changed", accountId: everyAccount })
  })
  return counters
}

async function openCountersIn(
  { redisUrl }: Pick<Places, "redisUrl">,
  store: Store,
  counting: Counting,
): Promise<Counters> {
  if (redisUrl !== undefined) {
    const { openRedis } = await import("./redis/open.ts")
    return openRedis(redisUrl, counting)
  }
  const { clock, report } = counting
  const limiter = await memoryLimiter(store, clock, report)
  const kinds: ReturnType<typeof memoryAttempts>[] = []
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
    close: () => limiter.save(),
  }
}
