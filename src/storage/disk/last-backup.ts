import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { readIfExists, replaceWith, writeOnce } from "./private.ts"

export const lastBackupNames = ["last-backup.txt", "last-backup.txt.next"] as const

/** Notes in the data directory when the last backup of it was made (RFC 3339), for the service to tell. */
export function noteBackup(dataDir: string, createdAt: string): void {
  const [file, next] = lastBackupNames.map((name) => join(dataDir, name)) as [string, string]
  // Where there is none, the data is elsewhere.
  if (!existsSync(dataDir)) return
  try {
    rmSync(next, { force: true })
    writeOnce(next, `${createdAt}\n`)
    replaceWith(next, file)
  } catch {
    // A backup is one, noted or not: the disk may be full, or the directory somebody else's.
  }
}

/** When that was; undefined when none was noted. */
export function readLastBackup(dataDir: string): string | undefined {
  const text = readIfExists(join(dataDir, lastBackupNames[0]))
  return text !== undefined && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? text : undefined
}
