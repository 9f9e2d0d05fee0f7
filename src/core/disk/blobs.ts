import { access, mkdir, open, opendir, rename, rm, unlink } from "node:fs/promises"
import { join } from "node:path"
import { imageParts } from "../domain/images/contract.ts"
import type { BlobStore } from "../domain/ports/blobs.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { agreementName, createBlobKey, ownerName, timeOfBlobKey } from "./blob-key.ts"
import { mapDiskErrors, unlessAbsent } from "./disk-errors.ts"
import { flush } from "./flush.ts"
import { makeAllPrivate, makePrivateDirectory, modes, readIfExists, writeOnce } from "./private.ts"
import { createStages } from "./stages.ts"
import { createDiskTrash } from "./trash.ts"

/** Opens the store of image bytes in this directory, created as needed. Throws CannotStart. */
export function openDiskBlobs(directory: string): BlobStore {
  try {
    for (const name of ["kept", "staged"]) makePrivateDirectory(join(directory, name))
  } catch (error) {
    throw new CannotStart(
      `Images cannot be kept in ${directory}: ${(error as Error).message}. Choose another directory with PETSTORE_BLOB_URL.`,
    )
  }
  return diskBlobs(directory)
}

/**
 * Image bytes as files: `kept/TIME-RANDOM/original`, `…/320`, `…/1280`, written in `staged/` and renamed into place, so that a key
 * has all of its parts or does not exist. `trash/DAY/` holds restorable keys. Creates no directory.
 */
export function diskBlobs(directory: string): BlobStore {
  const [kept, staged] = [join(directory, "kept"), join(directory, "staged")]
  const trash = createDiskTrash(join(directory, "trash"))
  async function restore(key: string): Promise<boolean> {
    const isBack = await trash.take(key, join(kept, key))
    if (isBack) await flush(kept)
    return isBack
  }

  return {
    ...createStages(staged),
    hasChecksums: false,

    keep: (parts, at, key = createBlobKey(at)) =>
      mapDiskErrors(async () => {
        const making = join(staged, key)
        await mkdir(making, modes.directory)
        for (const part of imageParts) await rename(parts[part], join(making, part))
        await Promise.all([...imageParts.map((part) => flush(join(making, part))), flush(making)])
        await rename(making, join(kept, key))
        await flush(kept)
        return key
      }),

    read: (key, part, range) =>
      mapDiskErrors(async () => {
        const path = join(kept, key, part)
        return (await readPart(path, range)) ?? ((await restore(key)) ? await readPart(path, range) : undefined)
      }),

    address: async () => undefined,

    // Renamed first, so that no reader finds a half-removed key.
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
      for await (const { name } of (await opendir(kept).catch(unlessAbsent)) ?? [])
        if (timeOfBlobKey(name) < before) yield name
    },

    incomplete: (keys) =>
      mapDiskErrors(async () => {
        const hasAll = async (path: string) =>
          (await Promise.all(imageParts.map((part) => isThere(join(path, part))))).every(Boolean)
        const lacking: string[] = []
        for (const key of keys)
          if (!(await hasAll(join(kept, key))) && !(await trash.some(key, hasAll))) lacking.push(key)
        return lacking
      }),
  }
}

const isThere = async (path: string): Promise<boolean> =>
  (await access(path).then(() => true, unlessAbsent)) !== undefined

async function readPart(path: string, { start, end }: { start: number; end: number }) {
  const file = await open(path).catch(unlessAbsent)
  return file?.createReadStream({ start, end })
}
