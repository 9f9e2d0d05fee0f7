import { mkdir, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { unlessAbsent } from "./absent.ts"
import { modes } from "./private.ts"

const dayMs = 24 * 60 * 60 * 1000

/** Directories moved away for a while: `DAY/NAME` below `directory`, the day they were moved as in 2026-01-31 (UTC). */
export function createDiskTrash(directory: string) {
  const days = async (): Promise<string[]> => (await readdir(directory).catch(unlessAbsent)) ?? []
  const names = async (day: string): Promise<string[]> =>
    (await readdir(join(directory, day)).catch(unlessAbsent)) ?? []

  return {
    async put(path: string, name: string, at: number): Promise<void> {
      const day = join(directory, new Date(at).toISOString().slice(0, 10))
      await mkdir(day, { recursive: true, mode: modes.directory })
      await rename(path, join(day, name)).catch(unlessAbsent)
    },

    /** Moves what has this name to `path`; false when nothing has. */
    async take(name: string, path: string): Promise<boolean> {
      for (const day of await days()) {
        const moved = await rename(join(directory, day, name), path).then(() => true, unlessAbsent)
        if (moved) return true
      }
      return false
    },

    /** Whether `holds` is true of a directory of this name. */
    async some(name: string, holds: (path: string) => Promise<boolean>): Promise<boolean> {
      for (const day of await days()) if (await holds(join(directory, day, name))) return true
      return false
    },

    async *names(): AsyncGenerator<string> {
      for (const day of await days()) yield* await names(day)
    },

    /** Removes the days that were over before this time; returns how many directories were in them. */
    async empty(before: number): Promise<number> {
      let count = 0
      for (const day of await days()) {
        if (Date.parse(day) + dayMs > before) continue
        count += (await names(day)).length
        await rm(join(directory, day), { recursive: true, force: true })
      }
      return count
    },
  }
}
