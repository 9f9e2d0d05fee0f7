import { randomBytes } from "node:crypto"
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { dirname, join } from "node:path"

/** The permissions of directories and files: for their owner alone. */
export const modes = { directory: 0o700, file: 0o600 }

/**
 * Makes a directory, and those above it that are missing, for this user alone. Throws what the system says. Each is
 * tried once: Node's recursive `mkdir` never ends where the system reports an existing parent as missing.
 */
export function makePrivateDirectory(path: string): void {
  try {
    mkdirSync(path, modes.directory)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "EEXIST") requireDirectory(path)
    else if (code === "ENOENT" && dirname(path) !== path) {
      makePrivateDirectory(dirname(path))
      mkdirSync(path, modes.directory)
    } else throw error
  }
}

function requireDirectory(path: string): void {
  if (!statSync(path).isDirectory())
    throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: "ENOTDIR", syscall: "mkdir" })
}

/** Makes an empty file for this user alone; one that is there stays as it is. */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", modes.file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}

/** Writes a file for this user alone: wholly and on the disk, or not at all. Throws EEXIST when it is there. */
export function writeOnce(file: string, text: string): void {
  makePrivateDirectory(dirname(file))
  const draft = `${file}.${randomBytes(6).toString("hex")}`
  const handle = openSync(draft, "wx", modes.file)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
    linkSync(draft, file)
  } finally {
    closeSync(handle)
    rmSync(draft, { force: true })
  }
  syncDirectory(dirname(file))
}

/** Puts the file `next` in the place of another: whoever looks finds one of the two, whole, and after this the new one. */
export function replaceWith(next: string, file: string): void {
  renameSync(next, file)
  syncDirectory(dirname(file))
}

/** Puts the names in a directory on the disk, so that what was just made is found after a power failure. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, "r")
  fsyncSync(directory)
  closeSync(directory)
}

/** The text of a file without the space around it; undefined when there is no such file. */
export function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

/**
 * Removes the permissions of group and others from a file or directory, if it exists; returns false when the system does
 * not allow that. A link is not followed.
 */
export function makePrivate(path: string): boolean {
  try {
    const about = lstatSync(path)
    if (!about.isSymbolicLink() && about.mode & 0o077) chmodSync(path, about.mode & 0o700)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT"
  }
}

/** The same for a directory with everything in it. */
export function makeAllPrivate(directory: string): void {
  makePrivate(directory)
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) makeAllPrivate(path)
    else makePrivate(path)
  }
}
