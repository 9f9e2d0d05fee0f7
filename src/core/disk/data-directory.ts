import { lstatSync, readdirSync, realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { firstKeyFileName } from "./first-key-file.ts"
import { keyFileName } from "./key-file.ts"
import { lastBackupNames } from "./last-backup.ts"
import { makePrivate } from "./private.ts"

type Locations = { dataDir: string; databaseFile: string | undefined; imageDirectory: string }

/**
 * Removes the permissions of group and others from the service's files; from the data directory itself only when it holds
 * nothing else, because it may be a home directory. Returns the paths that stay open to others.
 */
export function tightenData({ dataDir, databaseFile, imageDirectory }: Locations): string[] {
  const database = databaseFile === undefined ? undefined : realPath(databaseFile)
  // Includes the write-ahead log, the lock, and their journals.
  const isDatabase = (name: string) => database !== undefined && name.startsWith(basename(database))
  const besideDatabase = database === undefined ? [] : namesIn(dirname(database)).filter(isDatabase)
  const keys = [keyFileName, firstKeyFileName]
  const ours = new Set([...keys, ...madePrivate, basename(imageDirectory), "lost+found"])
  const isOurs = namesIn(dataDir).every((name) => ours.has(name) || isDatabase(name))
  const databaseFiles = besideDatabase.map((name) => join(dirname(database as string), name))
  const keyFiles = keys.map((name) => join(dataDir, name))
  const made = [...databaseFiles, ...keyFiles, imageDirectory, ...(isOurs ? [dataDir] : [])]
  const open = made.filter((path) => !makePrivate(path))
  return isOurs || isPrivate(dataDir) ? open : [...open, dataDir]
}

function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

const isPrivate = (path: string): boolean => (lstatSync(path).mode & 0o077) === 0

export const adminSocketName = "admin.sock"

export const namedSandboxesName = "petstore-sandboxes"

/** Files that the service always creates for their owner only. */
const madePrivate = [adminSocketName, namedSandboxesName, `${keyFileName}.next`, ...lastBackupNames]
