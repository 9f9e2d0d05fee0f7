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

/** Permissions for the owner only. */
export const modes = { directory: 0o700, file: 0o600 }

/**
 * Creates a directory and its missing parents for this user only; throws the system's error. Tries each once: Node's recursive
 * `mkdir` never ends where the system reports an existing parent as missing.
 */
export function makePrivateDirectory(path: string): void {
  try {
    mkdirSync(path, modes.directory)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "ENOENT" && dirname(path) !== path) {
      makePrivateDirectory(dirname(path))
      mkdirSync(path, modes.directory)
    } else if (code !== "EEXIST") throw error
    else if (!statSync(path).isDirectory())
      throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: "ENOTDIR", syscall: "mkdir" })
  }
}

/** Creates an empty file for this user only, unless it exists. */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", modes.file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}

/** Creates a file for this user only, atomically and durably. Throws EEXIST when it exists. */
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

/** Replaces a file by `next`, atomically and durably. */
export function replaceWith(next: string, file: string): void {
  renameSync(next, file)
  syncDirectory(dirname(file))
}

/** Makes the names in a directory durable, so that new files survive a power failure. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, "r")
  fsyncSync(directory)
  closeSync(directory)
}

/** The trimmed text of a file; undefined when it does not exist. */
export function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

/** Removes the permissions of group and others; false when the system does not allow it. Does not follow a link. */
export function makePrivate(path: string): boolean {
  try {
    const about = lstatSync(path)
    if (!about.isSymbolicLink() && about.mode & 0o077) chmodSync(path, about.mode & 0o700)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT"
  }
}

/** The same for a directory and everything in it. */
export function makeAllPrivate(directory: string): void {
  makePrivate(directory)
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) makePrivate(join(directory, name))
}
