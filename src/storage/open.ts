import { dirname } from "node:path"
import { everyAccount } from "../domain/accounts/model.ts"
import type { BlobReader } from "../domain/images/store.ts"
import type { BlobStore } from "../domain/ports/blobs.ts"
import type { Limiter } from "../domain/ports/limiter.ts"
import type { Invalidation } from "../domain/ports/signals.ts"
import type { Database } from "../domain/ports/store.ts"
import type { Attempts } from "../kernel/flow/attempts.ts"
import type { Measured } from "../kernel/measure.ts"
import type { Bucket, Locations } from "./blobs/locations.ts"
import type { ServiceBlobs, StartOfBlobs } from "./blobs/service-blobs.ts"
import { diskBlobs, openDiskBlobs } from "./disk/blobs.ts"
import { tightenData } from "./disk/data-directory.ts"
import { type MemoryAttempts, memoryAttempts } from "./memory/attempts.ts"
import { memoryLimiter } from "./memory/limiter.ts"
import { memorySignals } from "./memory/signals.ts"
import type { RedisOptions } from "./redis/open.ts"
import { migrateSqlite, openSqlite } from "./sqlite/open.ts"
import type { ReportFailure } from "./sqlite/watch-flushes.ts"

/** Opens the database; `exposed` are paths that other users of this machine can read. Throws CannotStart. */
export async function openDatabase(locations: Locations, report: ReportFailure = () => {}) {
  const { dataDir, database, images } = locations
  const databaseFile = database.kind === "sqlite" ? database.file : undefined
  const exposed = tightenData({ dataDir, databaseFile, imageDirectory: images.directory })
  if (database.kind === "sqlite") return { store: openSqlite(database.file, { report }), exposed }
  // Loaded on demand: a service on SQLite does not need the driver.
  const { openPostgres } = await import("./postgres/open.ts")
  return { store: await openPostgres(database.url, database), exposed }
}

/** Migrates the database; returns the schema versions before and after. Throws CannotStart. */
export async function migrateDatabase({ database }: Locations): Promise<{ from: number; to: number }> {
  if (database.kind === "sqlite") return migrateSqlite(database.file)
  const { migratePostgres } = await import("./postgres/open.ts")
  return migratePostgres(database.url)
}

const nameOf = ({ bucket, prefix }: Bucket): string => `s3://${bucket}/${prefix}`

/** Opens the store of image bytes; messages call it `name`. Throws CannotStart. */
export async function openBlobs({ images }: Locations): Promise<{ blobs: BlobStore; name: string }> {
  if (images.kind === "disk") return { blobs: openDiskBlobs(images.directory), name: images.directory }
  const { openS3Blobs } = await import("./s3/blobs.ts")
  return { blobs: await openS3Blobs(images), name: nameOf(images) }
}

/** Opens it for a service, which also starts while S3 cannot be reached. Throws CannotStart. */
export async function openServiceBlobs(
  locations: Pick<Locations, "images">,
  start: ServiceStart,
): Promise<ServiceBlobs> {
  const { images } = locations
  if (images.kind === "s3") {
    const { openReachableS3 } = await import("./s3/reachable-s3.ts")
    return openReachableS3(images, { ...start, bind: (blobs) => start.bind(blobs, nameOf(images)) })
  }
  return openBoundDisk(openDiskBlobs(images.directory), images.directory, start)
}

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

/** Opens the same for reading only, and creates nothing. Throws CannotStart. */
export async function readBlobs({ images }: Pick<Locations, "images">): Promise<BlobReader> {
  if (images.kind === "disk") return diskBlobs(images.directory)
  const { s3Blobs } = await import("./s3/blobs.ts")
  return s3Blobs(images)
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

/** `report` receives errors of storing counts, which is retried. */
type Counting = RedisOptions & { report(error: unknown): void }

/** Opens the counters: in Redis if configured, else in this process. Throws CannotStart. */
export async function openCounters(
  { redisUrl }: Pick<Locations, "redisUrl">,
  store: Database,
  counting: Counting,
): Promise<Counters> {
  const counters =
    redisUrl === undefined
      ? await openMemory(store, counting)
      : await (await import("./redis/open.ts")).openRedis(redisUrl, counting)
  // The commit may have changed a credential, which was announced before other connections could read it.
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
