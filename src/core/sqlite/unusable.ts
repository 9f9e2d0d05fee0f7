import { StoreUnavailable } from "../domain/ports/store.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { toSqliteError } from "./connection.ts"

/** Primary result codes (sqlite.org/rescode.html) for damaged content. */
const damaged = new Set([11, 26])

/** Explains to the operator why a database file cannot be opened; a bug is returned unchanged. */
export function toSqliteStartError(file: string, error: unknown): unknown {
  const { code, errcode, message } = error as { code?: string; errcode?: number; message: string }
  if (error instanceof CannotStart) return error
  if (code?.startsWith("E") && errcode === undefined)
    return new CannotStart(
      `The directory of ${file} cannot be used: ${message}. Choose another with PETSTORE_DATA_DIR.`,
    )
  const known = toSqliteError(error)
  if (!(known instanceof StoreUnavailable)) return error
  const advice =
    errcode !== undefined && damaged.has(errcode & 0xff)
      ? "Restore it from a backup. To start with an empty store instead, choose another PETSTORE_DATA_DIR and keep this one."
      : "Check the directory's permissions and free space, or choose another with PETSTORE_DATA_DIR."
  return new CannotStart(`${file} cannot be used: ${known.message}. ${advice}`, { cause: error })
}
