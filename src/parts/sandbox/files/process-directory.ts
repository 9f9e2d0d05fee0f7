import { randomBytes } from "node:crypto"
import { readdir, rm, rmdir } from "node:fs/promises"
import { join } from "node:path"
import { makePrivateDirectory } from "../../../core/disk/private.ts"
import { StoreUnavailable } from "../../../core/domain/ports/store.ts"
import { lockFile } from "../../../core/sqlite/lock.ts"

const lockEnding = ".lock"
/** The lock, and what SQLite keeps beside it. */
const lockFiles = /\.lock(-journal)?$/
/** Directories beside those of processes, whose content outlives them. */
export const [keptName, asideName] = ["kept", "set-aside"] as const
const lasting: ReadonlySet<string> = new Set([keptName, asideName])

/**
 * A directory of this process below `parent`, created on first use; disposal removes it. A lock that ends with its process tells
 * those of others from those of processes that were killed.
 */
export function processDirectory(parent: string) {
  let held: { path: string; unlock(): void } | undefined

  return {
    /** Creates the directory, unless it exists, and returns its path. */
    open(): string {
      if (held) return held.path
      const path = join(parent, randomBytes(6).toString("hex"))
      makePrivateDirectory(parent)
      const unlock = lockFile(path + lockEnding)
      if (!unlock) throw new StoreUnavailable("another process is removing the directory")
      makePrivateDirectory(path)
      held = { path, unlock }
      return path
    },
    async [Symbol.asyncDispose](): Promise<void> {
      if (held) await removeLocked(held.path, held.unlock)
      await rmdir(parent).catch(() => undefined)
    },
  }
}

/** Removes the directories below `parent` whose processes have ended. */
export async function removeLeftovers(parent: string): Promise<void> {
  const entries = await readdir(parent).catch(() => [])
  for (const name of new Set(entries.map((entry) => entry.replace(lockFiles, ""))).difference(lasting)) {
    const path = join(parent, name)
    const unlock = lockFile(path + lockEnding)
    if (unlock) await removeLocked(path, unlock)
  }
  await rmdir(parent).catch(() => undefined)
}

async function removeLocked(path: string, unlock: () => void): Promise<void> {
  await rm(path, { recursive: true, force: true })
  await rm(path + lockEnding, { force: true })
  unlock()
}
