import { copyFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Disk } from "../../src/core/sqlite/disk.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { temporaryDirectory } from "../harness/directory.ts"

/** Empty databases, as copies of one, because creating each would take longer than a simulation. */
export async function emptyDatabases() {
  const directory = temporaryDirectory()
  const empty = join(directory.path, "empty.db")
  await openSqlite(empty).close()
  return {
    directory: directory.path,
    copyTo: (file: string) => copyFileSync(empty, file),
    /** Opens one whose flushes take no time; closing it removes it. */
    open() {
      const file = join(directory.path, "run.db")
      copyFileSync(empty, file)
      const database = openSqlite(file, { openDisk: immediateDisk })
      return {
        ...database,
        async [Symbol.asyncDispose]() {
          await database.close()
          rmSync(file)
        },
      }
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  }
}

const done = async (): Promise<void> => {}
const immediateDisk = (): Disk => ({ syncLog: done, syncDatabase: done, close: () => {} })
