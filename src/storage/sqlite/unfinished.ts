import { existsSync, renameSync, rmSync } from "node:fs"
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
  if (!existsSync(file)) return undefined
  using db = new DatabaseSync(file, { readOnly: true })
  const { user_version: version } = db.prepare("PRAGMA user_version").get() as { user_version: number }
  return version === unfinishedVersion ? String(db.prepare("SELECT source FROM unfinished").get()?.source) : undefined
}
