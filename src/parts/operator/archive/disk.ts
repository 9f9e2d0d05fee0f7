import { createReadStream, createWriteStream, existsSync } from "node:fs"
import { chmod, opendir, readdir, readFile, rename, rm, rmdir } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"
import { pipeline } from "node:stream/promises"
import { flush } from "../../../core/disk/flush.ts"
import { makePrivateDirectory, modes } from "../../../core/disk/private.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { lockFile } from "../../../core/sqlite/lock.ts"
import { type ArchiveReader, type ArchiveWriter, manifestName } from "./archive.ts"
import { bytesOf } from "./hash.ts"

/** The lock file and SQLite's journal of it. */
const lockNames = [".lock", ".lock-journal"] as const

/**
 * Writes an archive to a new directory. It is built in `NAME.partial` under a lock of the operating system; the next backup
 * replaces the files of a killed one.
 */
export async function openArchiveDirectory(target: string): Promise<ArchiveWriter> {
  const path = resolve(target)
  const making = `${path}.partial`
  requireAbsent(path)
  makePrivateDirectory(making)
  const unlock = lockFile(join(making, lockNames[0]))
  if (!unlock) throw new CannotStart(`Another backup is being written to ${making}`)
  for (const name of await readdir(making)) if (!isLock(name)) await rm(join(making, name), { recursive: true })
  let isFinished = false

  const writer: ArchiveWriter = {
    draft: (name) => join(making, name),
    async add(name) {
      await chmod(join(making, name), modes.file)
      await flush(join(making, name))
    },
    async write(name, bytes) {
      makePrivateDirectory(dirname(join(making, name)))
      await pipeline(bytes, createWriteStream(join(making, name), { mode: modes.file, flags: "wx", flush: true }))
    },
    async remove(name) {
      const folder = dirname(join(making, name))
      await rm(join(making, name), { force: true })
      if (folder !== making && (await readdir(folder)).length === 0) await rmdir(folder)
    },
    async finish(manifest) {
      await writer.write(manifestName, bytesOf(manifest))
      for await (const directory of directoriesIn(making)) await flush(directory)
      requireAbsent(path)
      await rename(making, path)
      isFinished = true
      await flush(dirname(path))
    },
    async [Symbol.asyncDispose]() {
      if (!isFinished) await rm(making, { recursive: true, force: true })
      unlock()
      if (isFinished) for (const name of lockNames) await rm(join(path, name), { force: true })
    },
  }
  return writer
}

const isLock = (name: string): boolean => (lockNames as readonly string[]).includes(name)

function requireAbsent(path: string): void {
  if (existsSync(path)) throw new CannotStart(`${path} already exists; a backup requires a new directory`)
}

/** Opens an archive in a local directory. Throws CannotStart when there is none. */
export async function openDirectoryReader(directory: string): Promise<ArchiveReader> {
  const path = resolve(directory)
  await readFile(join(path, manifestName)).catch((error: NodeJS.ErrnoException) => {
    throw new CannotStart(`${path} is not a complete backup: ${error.message}`)
  })
  return {
    read: async (name) => (existsSync(join(path, name)) ? createReadStream(join(path, name)) : undefined),
    local: async (name) => join(path, name),
    async *names() {
      for await (const file of filesIn(path)) if (!isLock(relative(path, file))) yield relative(path, file)
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

/** The address itself if it is a backup or none of this machine; otherwise those of the backups in this directory. */
export async function archivesAt(address: string): Promise<string[]> {
  if (address.startsWith("s3:") || existsSync(join(address, manifestName))) return [address]
  const inside = await readdir(address).catch((error: NodeJS.ErrnoException) => {
    throw new CannotStart(`There are no backups: ${error.message}`)
  })
  return inside.map((name) => join(address, name)).filter((path) => existsSync(join(path, manifestName)))
}

async function* filesIn(directory: string): AsyncGenerator<string> {
  for await (const entry of await opendir(directory)) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) yield* filesIn(path)
    else yield path
  }
}

/** The directory and its subdirectories at any depth. */
async function* directoriesIn(directory: string): AsyncGenerator<string> {
  for await (const entry of await opendir(directory))
    if (entry.isDirectory()) yield* directoriesIn(join(directory, entry.name))
  yield directory
}
