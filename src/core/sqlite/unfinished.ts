import { closeSync, openSync, readSync, renameSync, rmSync, statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { makePrivateFile } from "../disk/private.ts"
import { unfinishedVersion } from "../sql/migrations.ts"

/** Creates a database on which no service starts, because it is to be filled from this source. */
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

/** The source from which the database is to be filled; undefined for any other file, and for none. */
export function readUnfinished(file: string): string | undefined {
  if (!isUnfinished(file)) return undefined
  using db = new DatabaseSync(file, { readOnly: true })
  return String(db.prepare("SELECT source FROM unfinished").get()?.source)
}

/** The offset of `user_version`, 32 bits, in SQLite's file format. */
const versionOffset = 60

/** Read from the header: SQLite throws for a damaged file, and may create files beside it. */
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
