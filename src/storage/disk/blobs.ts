import { randomBytes } from "node:crypto"
import { createWriteStream } from "node:fs"
import { mkdir, open, opendir, readdir, rename, rm, statfs, unlink } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { imageParts } from "../../domain/images/contract.ts"
import { type BlobStore, StoreUnavailable } from "../../domain/ports.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { unlessAbsent } from "./absent.ts"
import { makeAllPrivate, makePrivateDirectory, modes, readIfExists, writeOnce } from "./private.ts"
import { createDiskTrash } from "./trash.ts"

/** Holds the identity of the database that everything here belongs to. */
const ownerName = "database-id"
/** A file an operator makes to let one sweep move away more than it would by itself. */
const agreementName = "sweep-anyway"

/**
 * Image bytes as files: `kept/TIME-RANDOM/original`, `…/320`, `…/1280`, made in `staged/` and renamed into place, so
 * that a key is there with all of its parts or not at all; `trash/DAY/` holds what can be brought back.
 */
export async function openDiskBlobs(directory: string): Promise<BlobStore> {
  const [kept, staged] = [join(directory, "kept"), join(directory, "staged")]
  try {
    for (const path of [kept, staged]) makePrivateDirectory(path)
  } catch (error) {
    throw new CannotStart(
      `Images cannot be kept in ${directory}: ${(error as Error).message}. Choose another directory with PETSTORE_BLOB_URL.`,
    )
  }

  const trash = createDiskTrash(join(directory, "trash"))
  async function restore(key: string): Promise<boolean> {
    const isBack = await trash.take(key, join(kept, key))
    if (isBack) await flush(kept)
    return isBack
  }

  return {
    stage: (at) =>
      mapErrors(async () => {
        await requireRoom(directory)
        const path = join(staged, newKey(at))
        await mkdir(path, modes.directory)
        const write = (name: string, bytes: AsyncIterable<Uint8Array>) =>
          mapErrors(() => writeStream(join(path, name), bytes))
        return { path, write, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
      }),

    keep: (parts, at) =>
      mapErrors(async () => {
        const key = newKey(at)
        const making = join(staged, key)
        await mkdir(making, modes.directory)
        for (const part of imageParts) await rename(parts[part], join(making, part))
        await Promise.all([...imageParts.map((part) => flush(join(making, part))), flush(making)])
        await rename(making, join(kept, key))
        await flush(kept)
        return key
      }),

    read: (key, part, range) =>
      mapErrors(async () => {
        const path = join(kept, key, part)
        return (await readPart(path, range)) ?? ((await restore(key)) ? await readPart(path, range) : undefined)
      }),

    // Renamed first, so that a half-removed key is never found.
    async remove(key) {
      const away = join(staged, `${key}-removed`)
      await rename(join(kept, key), away).catch(unlessAbsent)
      await trash.take(key, away)
      await rm(away, { recursive: true, force: true })
    },

    trash: (key, at) => trash.put(join(kept, key), key, at),
    restore,
    trashed: () => trash.names(),
    emptyTrash: (before) => trash.empty(before),

    mayTrashMany: async () =>
      (await unlink(join(directory, agreementName)).then(() => true, unlessAbsent)) !== undefined,

    owner: async () => readIfExists(join(directory, ownerName)),
    async claim(identity) {
      makeAllPrivate(directory)
      writeOnce(join(directory, ownerName), `${identity}\n`)
    },

    async *keptBefore(before) {
      for await (const { name } of await opendir(kept)) if (timeOf(name) < before) yield name
    },

    async clearStages(before) {
      for (const name of await readdir(staged))
        if (timeOf(name) < before) await rm(join(staged, name), { recursive: true, force: true })
    },
  }
}

/** Left to the database, which may be on the same disk. */
const freeBytesMin = 16 * 1024 * 1024

async function requireRoom(directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  if (bavail * bsize < freeBytesMin) throw new StoreUnavailable("the disk is nearly full")
}

const timeDigits = 11

/** The time and a random number: a key is used once, and shows how old it is. */
const newKey = (at: number): string => `${at.toString(16).padStart(timeDigits, "0")}-${randomBytes(16).toString("hex")}`

const timeOf = (key: string): number => Number.parseInt(key.slice(0, timeDigits), 16)

async function writeStream(path: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  await pipeline(bytes, createWriteStream(path, { mode: modes.file }))
  return path
}

async function readPart(path: string, { start, end }: { start: number; end: number }) {
  const file = await open(path).catch(unlessAbsent)
  return file?.createReadStream({ start, end })
}

/** Resolves when a file's bytes, or a directory's names, have reached the disk. */
async function flush(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

const reasons: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk's quota is used up",
  EIO: "the disk reported an error",
  EROFS: "the disk is read-only",
  EACCES: "the directory of the images may not be written",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
}

/** Does the work, turning failures of the disk into StoreUnavailable; anything else stays a bug. */
async function mapErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ""]
    throw reason === undefined ? error : new StoreUnavailable(reason, { cause: error })
  }
}
