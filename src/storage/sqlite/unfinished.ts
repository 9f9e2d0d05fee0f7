import { closeSync, openSync, readSync, renameSync, rmSync, statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { makePrivateFile } from "../disk/private.ts"
import { unfinishedVersion } from "../sql/migrations.ts"

/** Puts a database in this place that no service starts on, because it is still to be filled from this source. */
export function makeUnfinished(file: string, source: string): void {
  const draft = `${file}.unfinished`
  rmSync(draft, { force: true })
  makePrivateFile(draft)
  const db = new DatabaseSync(draft)
  db.exec("CREATE TABLE unfinished (source TEXT NOT NULL) STRICT")
  db.prepare("INSERT INTO unfinished (source) VALUES (?)").run(source)
  db.exec(`PRAGMA user_version = ${unfinishedVersion}`)
  db.close()
  renameSync(draft, file)
}

/** From which source the database in this place is still to be filled; undefined for any other file, and for none. */
export function readUnfinished(file: string): string | undefined {
  if (!isUnfinished(file)) return undefined
  using db = new DatabaseSync(file, { readOnly: true })
  return String(db.prepare("SELECT source FROM unfinished").get()?.source)
}

/** Where SQLite's file format has `user_version`, 32 bits. */
const versionOffset = 60

/** Read from the header: SQLite throws for a file that is damaged or is no database, and may make files beside another. */
function isUnfinished(file: string): boolean {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false
  const header = Buffer.alloc(versionOffset + 4)
  const handle = openSync(file, "r")
  try {
    readSync(handle, header, 0, header.length, 0)
  } finally {
    closeSync(handle)
  }
  return (
    header.toString("latin1", 0, 15) === "SQLite format 3" && header.readInt32BE(versionOffset) === unfinishedVersion
  )
}
