import { cpSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import type { BlobStore } from "../domain/ports/blobs.ts"
import { type Database, StoreUnavailable } from "../domain/ports/store.ts"
import { openDiskBlobs } from "./disk/blobs.ts"
import { boundBlobs } from "./disk/bounded-blobs.ts"
import { makePrivateDirectory } from "./disk/private.ts"
import { openSqlite } from "./sqlite/open.ts"

const mebibyte = 1024 * 1024
/** Bounds of one temporary store. */
const databaseSize = { bytesMax: 32 * mebibyte, cacheKiB: 1024 }
const imageBytesMax = 64 * mebibyte
/** Nothing is flushed, because the data does not outlive the process. */
const openNoDisk = () => ({ syncLog: async () => {}, syncDatabase: async () => {}, close() {} })

/** A directory for one temporary store. */
export type TemporaryHome = {
  directory: string
  openDatabase(): Database
  openBlobs(): BlobStore
  imageBytes(): number
  /** Bytes of the database, its log and the images. */
  bytes(): number
  remove(): void
}

/**
 * Directories of this process, each a copy of a template, which `fill` creates. Earlier processes' directories are removed
 * first.
 */
export function temporaryHomes(directory: string, fill: (home: TemporaryHome) => Promise<void>) {
  let template: Promise<TemporaryHome> | undefined
  let count = 0

  async function makeTemplate(): Promise<TemporaryHome> {
    rmSync(directory, { recursive: true, force: true })
    const home = homeIn(join(directory, "template"), 0)
    makePrivateDirectory(home.directory)
    await fill(home)
    return home
  }

  return {
    async make(): Promise<TemporaryHome> {
      template ??= makeTemplate().catch((error: unknown) => {
        template = undefined
        throw error
      })
      const { directory: source, imageBytes } = await template
      const home = homeIn(join(directory, String(++count)), imageBytes())
      try {
        cpSync(source, home.directory, { recursive: true })
        return home
      } catch (error) {
        home.remove()
        throw error
      }
    },
    [Symbol.dispose]: () => template && rmSync(directory, { recursive: true, force: true }),
  }
}

function homeIn(directory: string, copiedImageBytes: number): TemporaryHome {
  let imageBytes = () => 0
  return {
    directory,
    openDatabase() {
      const store = openSqlite(join(directory, databaseName), { openDisk: openNoDisk }, databaseSize)
      return { ...store, transaction: (work) => store.transaction(work).catch(sayWhatIsFull) }
    },
    openBlobs() {
      const blobs = boundBlobs(openDiskBlobs(join(directory, "images")), imageBytesMax)
      imageBytes = blobs.bytes
      return blobs
    },
    imageBytes: () => imageBytes(),
    bytes: () => databaseBytes(directory) + copiedImageBytes + imageBytes(),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

const databaseName = "petstore.db"

const databaseBytes = (directory: string): number =>
  [databaseName, `${databaseName}-wal`].reduce(
    (sum, name) => sum + (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )

const sqliteFull = 13

function sayWhatIsFull(error: unknown): never {
  if (!(error instanceof StoreUnavailable) || (error.cause as { errcode?: number } | undefined)?.errcode !== sqliteFull)
    throw error
  throw new StoreUnavailable("the sandbox is full; a reset empties it", { cause: error })
}
