import { diskBlobs, openDiskBlobs } from "../../core/disk/blobs.ts"
import type { BlobReader } from "../../core/domain/images/store.ts"
import type { BlobStore } from "../../core/domain/ports/blobs.ts"
import { migrateSqlite } from "../../core/sqlite/open.ts"
import type { Bucket, Locations } from "../../core/storage/locations.ts"
import { localStorage, openAnnouncing, type Storage, tightenDirectories } from "../../core/storage/open.ts"

// The drivers are loaded on demand: a service on this machine does not need them.

/** Storage on this machine or, where a location names them, in PostgreSQL, S3 and Redis. */
export const anyStorage: Storage = {
  async openDatabase(locations, report) {
    const { database } = locations
    if (database.kind === "sqlite") return localStorage.openDatabase(locations, report)
    const exposed = tightenDirectories(locations)
    const { openPostgres } = await import("./postgres/open.ts")
    return { store: await openPostgres(database.url, database), exposed }
  },
  /** Starts also while S3 cannot be reached. */
  async openServiceBlobs({ images }, start) {
    if (images.kind === "disk") return localStorage.openServiceBlobs({ images }, start)
    const { openReachableS3 } = await import("./s3/reachable-s3.ts")
    return openReachableS3(images, { ...start, bind: (blobs) => start.bind(blobs, nameOf(images)) })
  },
  async openCounters({ redisUrl }, store, counting) {
    if (redisUrl === undefined) return localStorage.openCounters({ redisUrl }, store, counting)
    const { openRedis } = await import("./redis/open.ts")
    return openAnnouncing(store, await openRedis(redisUrl, counting))
  },
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

/** Opens the same for reading only, and creates nothing. Throws CannotStart. */
export async function readBlobs({ images }: Pick<Locations, "images">): Promise<BlobReader> {
  if (images.kind === "disk") return diskBlobs(images.directory)
  const { s3Blobs } = await import("./s3/blobs.ts")
  return s3Blobs(images)
}
