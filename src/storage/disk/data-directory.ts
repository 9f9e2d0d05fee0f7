import { lstatSync, readdirSync, realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { firstKeyFileName } from "./first-key-file.ts"
import { keyFileName } from "./key-file.ts"
import { lastBackupNames } from "./last-backup.ts"
import { makePrivate } from "./private.ts"

type Places = { dataDir: string; databaseFile: string | undefined; imageDirectory: string }

/**
 * Removes the permissions of group and others from what the service made in earlier starts; from the data directory
 * itself only when it holds nothing else, because it may be a home directory. Returns the paths that stay open to others.
 */
export function tightenData({ dataDir, databaseFile, imageDirectory }: Places): string[] {
  const database = databaseFile === undefined ? undefined : realPath(databaseFile)
  // With a write-ahead log, a lock, journals of either.
  const isDatabase = (name: string) => database !== undefined && name.startsWith(basename(database))
  const databaseFiles = database === undefined ? [] : pathsIn(dirname(database), isDatabase)
  const keys = [keyFileName, firstKeyFileName]
  const ours = new Set([...keys, ...madePrivate, basename(imageDirectory), "lost+found"])
  const isOurs = namesIn(dataDir).every((name) => ours.has(name) || isDatabase(name))
  const made = [
    ...databaseFiles,
    ...keys.map((name) => join(dataDir, name)),
    imageDirectory,
    ...(isOurs ? [dataDir] : []),
  ]
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

const pathsIn = (directory: string, isWanted: (name: string) => boolean): string[] =>
  namesIn(directory)
    .filter(isWanted)
    .map((name) => join(directory, name))

const isPrivate = (path: string): boolean => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) === 0

/** The socket for the commands of this machine. */
export const adminSocketName = "admin.sock"

/** The directory of the named sandboxes. */
export const namedSandboxesName = "petstore-sandboxes"

/** What is only ever made for its owner alone. */
const madePrivate = [adminSocketName, namedSandboxesName, `${keyFileName}.next`, ...lastBackupNames]
