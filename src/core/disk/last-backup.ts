import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { readIfExists, replaceWith, writeOnce } from "./private.ts"

export const lastBackupNames = ["last-backup.txt", "last-backup.txt.next"] as const

/** Records in the data directory when it was last backed up (RFC 3339), for the service to report. */
export function noteBackup(dataDir: string, createdAt: string): void {
  const [file, next] = lastBackupNames.map((name) => join(dataDir, name)) as [string, string]
  // Without the directory, the data is elsewhere.
  if (!existsSync(dataDir)) return
  try {
    rmSync(next, { force: true })
    writeOnce(next, `${createdAt}\n`)
    replaceWith(next, file)
  } catch {
    // The backup is complete even if the record cannot be written, for example on a full disk.
  }
}

/** Undefined when no backup was recorded. */
export function readLastBackup(dataDir: string): string | undefined {
  const text = readIfExists(join(dataDir, lastBackupNames[0]))
  return text !== undefined && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? text : undefined
}
