import { DatabaseError } from "pg"
import { OutcomeUnknown, StoreUnavailable } from "../../domain/ports/store.ts"

/** Codes and classes of codes (PostgreSQL manual, appendix A) that mean a failure of the server or of the way to it. */
const unavailable: readonly (readonly [code: string, reason: string])[] = [
  ["08", "the connection to the database failed"],
  ["25006", "the database takes no writes: it is a standby"],
  ["25P03", "the database ended a transaction that took too long"],
  ["26000", proxyReason("lost")],
  ["42P05", proxyReason("mixed up")],
  ["28", "the database refuses the user or the password"],
  ["3D000", "the database does not exist"],
  ["40001", "too many changes of the same rows at once"],
  ["40P01", "too many changes of the same rows at once"],
  ["40003", "the database does not know whether it did the work"],
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

/** The error for the domain: StoreUnavailable for failures of the server and the network, anything else unchanged, as a bug. */
export function toStoreError(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    const reason = unavailable.find(([code]) => error.code?.startsWith(code))?.[1]
    return reason === undefined ? error : new StoreUnavailable(reason, { cause: error })
  }
  return isOfDriver(error)
    ? new StoreUnavailable(`the database cannot be reached: ${error.message}`, { cause: error })
    : error
}

/** Whether the connection the error came from is of no use any more. */
export function isConnectionLost(error: unknown): boolean {
  const { cause } = error as { cause?: unknown }
  if (!(error instanceof StoreUnavailable)) return false
  return !(cause instanceof DatabaseError) || /^(08|25006|25P03|57P|XX)/.test(cause.code ?? "")
}

/**
 * Whether a transaction failed because of others: the server undid it, or what it found free was taken, or found there was gone, when
 * it came to write. Run again it sees what they have done.
 */
export function isUndoneByOthers(error: unknown): boolean {
  const known = error instanceof StoreUnavailable ? error.cause : error
  return known instanceof DatabaseError && ["40001", "40P01", "23505", "23503"].includes(known.code ?? "")
}

/** Codes of failures that undo a transaction: the server had not committed it. */
const undoing = ["25P03", "40001", "40P01", "55P03", "57014"]

/**
 * The error of a COMMIT, with what is known of its outcome. Only the server can say that it did not commit: a lost connection,
 * silence, and an error of its disk leave that open.
 */
export function ofCommit(error: unknown): unknown {
  if (!(error instanceof StoreUnavailable)) return error
  const { message, cause } = error
  const isUndone = cause instanceof DatabaseError && undoing.includes(cause.code ?? "")
  return isUndone ? error : new OutcomeUnknown(message, { cause })
}

/** The driver throws plain errors for what is wrong with a connection; subclasses of the language's are bugs. */
const isOfDriver = (error: unknown): error is Error =>
  error instanceof Error && (error.constructor === Error || error instanceof AggregateError || "syscall" in error)
