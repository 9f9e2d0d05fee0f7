import { statSync } from "node:fs"
import { cp, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { openDiskBlobs } from "../../../core/disk/blobs.ts"
import { boundBlobs } from "../../../core/disk/bounded-blobs.ts"
import { namedSandboxesName } from "../../../core/disk/data-directory.ts"
import { makePrivateDirectory } from "../../../core/disk/private.ts"
import type { BlobStore } from "../../../core/domain/ports/blobs.ts"
import { type Database, StoreUnavailable } from "../../../core/domain/ports/store.ts"
import { copyDatabase } from "../../../core/sqlite/online-copy.ts"
import { openSqlite } from "../../../core/sqlite/open.ts"
import { pauseWebhooks } from "../../../core/sqlite/pause-webhooks.ts"
import { processDirectory, removeLeftovers } from "./process-directory.ts"
import type { SandboxLocations } from "./write.ts"

const mebibyte = 1024 * 1024
/** Bounds of one temporary store. */
export const temporaryBounds = { databaseBytesMax: 32 * mebibyte, imageBytesMax: 64 * mebibyte }
const databaseSize = { bytesMax: temporaryBounds.databaseBytesMax, cacheKiB: 1024 }
/** Nothing is flushed, because the data does not outlive the process. */
const openNoDisk = () => ({ syncLog: async () => {}, syncDatabase: async () => {}, close() {} })

export type TemporaryData = {
  directory: string
  databaseFile: string
  imageDirectory: string
  openDatabase(): Database
  openBlobs(): BlobStore
  /** Bytes of the images, with those that were copied. */
  imageBytes(): number
  /** Bytes of the database, its log and the images. */
  bytes(): number
  remove(): Promise<void>
}

export type TemporaryStores = AsyncDisposable & {
  /** Copies a home, which may be in use, as it is now. Webhooks of the copy are paused: their receivers expect the original. */
  make(source?: TemporaryData): Promise<TemporaryData>
  /** Makes an empty home. */
  makeEmpty(): Promise<TemporaryData>
  /** Takes a directory, with so many bytes of images, that a process has kept or a file was restored to. */
  take(directory: string, imageBytes: number): Promise<TemporaryData>
}

/**
 * Directories of this process below `parent`, each a copy of another one or of a template, which `fill` creates. Those of
 * processes that have ended are removed at once, in the background; `report` receives a failure of that.
 */
export function openTemporaryData(
  parent: string,
  fill: (home: TemporaryData) => Promise<void>,
  report: (error: unknown) => void,
): TemporaryStores {
  const own = processDirectory(parent)
  const cleaning = removeLeftovers(parent).catch(report)
  let template: Promise<TemporaryData> | undefined
  let count = 0

  async function makeTemplate(): Promise<TemporaryData> {
    const home = homeIn(join(own.open(), "template"), 0)
    makePrivateDirectory(home.directory)
    await fill(home)
    return home
  }

  const copyHome = (source: TemporaryData): Promise<TemporaryData> =>
    fillHome(source.imageBytes(), async (home) => {
      await copyDatabase(source.databaseFile, home.databaseFile, () => {})
      pauseWebhooks(home.databaseFile)
      // After the database, so that every image that it knows is there.
      await cp(source.imageDirectory, home.imageDirectory, { recursive: true })
    })

  async function fillHome(imageBytes: number, fill: (home: TemporaryData) => Promise<void>): Promise<TemporaryData> {
    const home = homeIn(join(own.open(), String(++count)), imageBytes)
    try {
      makePrivateDirectory(home.directory)
      await fill(home)
      return home
    } catch (error) {
      await home.remove()
      throw error
    }
  }

  return {
    async make(source?: TemporaryData): Promise<TemporaryData> {
      if (source) return copyHome(source)
      template ??= makeTemplate().catch((error: unknown) => {
        template = undefined
        throw error
      })
      return copyHome(await template)
    },
    makeEmpty: () => fillHome(0, async () => {}),
    async take(directory, imageBytes) {
      const home = homeIn(join(own.open(), String(++count)), imageBytes)
      await rename(directory, home.directory)
      return home
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await cleaning
      await own[Symbol.asyncDispose]()
    },
  }
}

/** The files of one sandbox, below the data directory of the process; disposal removes them. */
export function temporaryFiles(dataDir: string): AsyncDisposable & { open(): SandboxLocations } {
  const own = processDirectory(join(dataDir, namedSandboxesName))
  return { open: () => sandboxFilesIn(own.open()), [Symbol.asyncDispose]: own[Symbol.asyncDispose] }
}

function homeIn(directory: string, copiedImageBytes: number): TemporaryData {
  let imageBytes = () => copiedImageBytes
  const { databaseFile, imageDirectory } = sandboxFilesIn(directory)
  return {
    directory,
    databaseFile,
    imageDirectory,
    openDatabase() {
      const store = openSqlite(databaseFile, { openDisk: openNoDisk }, databaseSize)
      return {
        ...store,
        transaction: (work) => store.transaction(work).catch(sayWhatIsFull),
        shared: (work, input) => store.shared(work, input).catch(sayWhatIsFull),
      }
    },
    openBlobs() {
      const blobs = boundBlobs(openDiskBlobs(imageDirectory), temporaryBounds.imageBytesMax, copiedImageBytes)
      imageBytes = blobs.bytes
      return blobs
    },
    imageBytes: () => imageBytes(),
    bytes: () => databaseBytes(directory) + imageBytes(),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

export const databaseFileName = "petstore.db"

export const sandboxFilesIn = (directory: string): SandboxLocations => ({
  databaseFile: join(directory, databaseFileName),
  imageDirectory: join(directory, "images"),
})

const databaseBytes = (directory: string): number =>
  [databaseFileName, `${databaseFileName}-wal`].reduce(
    (sum, name) => sum + (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )

const sqliteFull = 13

function sayWhatIsFull(error: unknown): never {
  if (!(error instanceof StoreUnavailable) || (error.cause as { errcode?: number } | undefined)?.errcode !== sqliteFull)
    throw error
  throw new StoreUnavailable("the sandbox is full; a reset empties it", { cause: error })
}
