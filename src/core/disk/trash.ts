import { mkdir, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { unlessAbsent } from "./disk-errors.ts"
import { modes } from "./private.ts"

const dayMs = 24 * 60 * 60 * 1000

/** Trashed directories: `DAY/NAME` in `directory`, the day as in 2026-01-31 (UTC). */
export function createDiskTrash(directory: string) {
  const names = async (day: string): Promise<string[]> =>
    (await readdir(join(directory, day)).catch(unlessAbsent)) ?? []
  const days = () => names(".")

  return {
    async put(path: string, name: string, at: number): Promise<void> {
      const day = join(directory, new Date(at).toISOString().slice(0, 10))
      await mkdir(day, { recursive: true, mode: modes.directory })
      await rename(path, join(day, name)).catch(unlessAbsent)
    },

    /** Moves the directory of this name to `path`; false when there is none. */
    async take(name: string, path: string): Promise<boolean> {
      for (const day of await days()) {
        if (await rename(join(directory, day, name), path).then(() => true, unlessAbsent)) return true
      }
      return false
    },

    /** Whether `holds` is true for a directory of this name. */
    async some(name: string, holds: (path: string) => Promise<boolean>): Promise<boolean> {
      for (const day of await days()) if (await holds(join(directory, day, name))) return true
      return false
    },

    async *names(): AsyncGenerator<string> {
      for (const day of await days()) yield* await names(day)
    },

    /** Removes the days that ended before this time; returns the number of directories in them. */
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
