import { existsSync } from "node:fs"
import { backup, DatabaseSync } from "node:sqlite"
import { CannotStart } from "../kernel/cannot-start.ts"
import { toSqliteStartError } from "./unusable.ts"

/** Pages copied before other work continues. */
const pagesAtOnce = 256

/** Copies a database, even in use, as of now into a new file without a log. Reports bytes. Throws CannotStart. */
export async function copyDatabase(file: string, target: string, report: (done: number, total: number) => void) {
  if (!existsSync(file)) throw new CannotStart(`There is no database at ${file}. PETSTORE_DATA_DIR says where it is.`)
  try {
    using source = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
    // One snapshot for the whole copy: otherwise it would restart with every commit of the service.
    source.exec("BEGIN")
    const { bytes } = source
      .prepare("SELECT page_size AS bytes, (SELECT count(*) FROM sqlite_schema) FROM pragma_page_size")
      .get() as { bytes: number }
    await backup(source, target, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) => report((totalPages - remainingPages) * bytes, totalPages * bytes),
    })
    using copy = new DatabaseSync(target)
    copy.exec("PRAGMA journal_mode = DELETE")
  } catch (error) {
    throw toSqliteStartError(file, error)
  }
}
