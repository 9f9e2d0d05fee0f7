import { DatabaseError } from "pg"
import { OutcomeUnknown, RowsUnavailable, StoreUnavailable } from "../../../core/domain/ports/store.ts"
import { Counts } from "../../../core/kernel/measure.ts"

/** Codes and classes of codes (PostgreSQL manual, appendix A) for failures of the server and the connection. */
const unavailable: readonly (readonly [code: string, reason: string])[] = [
  ["08", "the connection to the database failed"],
  ["25006", "the database is a standby or read-only"],
  ["25P03", "the database ended a transaction that took too long"],
  ["26000", proxyReason("lost")],
  ["42P05", proxyReason("mixed up")],
  ["28", "the database refuses the user or the password"],
  ["3D000", "the database does not exist"],
  ["40001", "too many changes of the same rows at once"],
  ["40P01", "too many changes of the same rows at once"],
  ["40003", "the database does not know whether it did the work"],
  ["53100", "the disk of the database is full"],
  ["53", "the database is out of resources"],
  ["55P03", "a row was locked for too long"],
  ["57014", "the database took too long"],
  ["57P", "the database is stopping, starting, or ended the connection"],
  ["58", "the database reported an error of its system"],
  ["XX", "the database reported an error of its own"],
]

function proxyReason(what: string): string {
  return `a proxy ${what} a prepared statement: add prepare=off to PETSTORE_DATABASE_URL`
}

/** What other transactions, or the amount of work, do to one transaction, and the server's name for it; the server works. */
const ofRows = new Map([
  ["40001", "serialization_failure"],
  ["40P01", "deadlock_detected"],
  ["55P03", "lock_not_available"],
  ["57014", "query_canceled"],
])

/** Statements that the server cancelled, by its name for the reason. */
export const createCancellations = (): Counts => new Counts([...ofRows.values()])

/** StoreUnavailable for failures of the server and the network; any other error unchanged, as a bug. */
export function toPostgresError(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    const reason = unavailable.find(([code]) => error.code?.startsWith(code))?.[1]
    if (reason === undefined) return error
    return new (ofRows.has(error.code ?? "") ? RowsUnavailable : StoreUnavailable)(reason, { cause: error })
  }
  return isOfDriver(error)
    ? new StoreUnavailable(`the database cannot be reached: ${error.message}`, { cause: error })
    : error
}

/** The same of a statement, counted if the server cancelled it. */
export function toStatementError(error: unknown, cancellations: Counts): unknown {
  const name = error instanceof DatabaseError ? ofRows.get(error.code ?? "") : undefined
  if (name !== undefined) cancellations.add(name)
  return toPostgresError(error)
}

/** What the user of the URL may not do or lacks, and the statement that cures it; undefined for any other error. */
export function toPrivilegeAdvice(error: unknown): string | undefined {
  if (hasCode(error, /^3F000$/))
    return (
      "its user has no schema for the tables. As an administrator: CREATE SCHEMA petstore AUTHORIZATION USER; ALTER ROLE USER SET search_path " +
      "= petstore (USER is the user of PETSTORE_DATABASE_URL)"
    )
  if (!hasCode(error, /^42501$/)) return undefined
  const { message } = error as DatabaseError
  const [, schema] = /for schema (.+)$/.exec(message) ?? []
  const cure = schema ? `GRANT USAGE, CREATE ON SCHEMA ${schema} TO USER` : "REASSIGN OWNED BY OWNER TO USER"
  const who = schema ? "" : ", OWNER the one who owns the tables"
  return `${message}. As an administrator: ${cure} (USER is the user of PETSTORE_DATABASE_URL${who})`
}

/** Why a server that responds accepts no writes, as the end of a sentence; undefined for any other error. */
export const writeRefusalOf = (error: unknown): string | undefined =>
  error instanceof StoreUnavailable && hasCode(error.cause, /^(25006|53100|58)/) ? error.message : undefined

export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof StoreUnavailable)) return false
  return !(error.cause instanceof DatabaseError) || hasCode(error.cause, /^(08|25006|25P03|57P|XX)/)
}

/** Whether another transaction held a row for longer than the timeout of a lock. */
export const isLocked = (error: unknown): boolean => error instanceof RowsUnavailable && hasCode(error.cause, /^55P03$/)

/** Whether a concurrent transaction caused a rollback or a conflict of keys. A retry sees its changes. */
export const isConflict = (error: unknown): boolean =>
  hasCode(error instanceof StoreUnavailable ? error.cause : error, /^(40001|40P01|23505|23503)$/)

/** The error of a COMMIT, with its outcome: only a reply of the server proves a rollback. */
export function toPostgresCommitError(error: unknown): unknown {
  if (!(error instanceof StoreUnavailable)) return error
  const isRolledBack = error instanceof RowsUnavailable || hasCode(error.cause, /^25P03$/)
  return isRolledBack ? error : new OutcomeUnknown(error.message, { cause: error.cause })
}

/** Whether it is an error of the server with such a code. */
const hasCode = (error: unknown, codes: RegExp): boolean =>
  error instanceof DatabaseError && codes.test(error.code ?? "")

/** The driver throws plain errors for connections; subclasses of built-in errors are bugs. */
const isOfDriver = (error: unknown): error is Error =>
  error instanceof Error && (error.constructor === Error || error instanceof AggregateError || "syscall" in error)
