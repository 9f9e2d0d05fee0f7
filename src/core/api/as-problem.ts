import { DamagedRecord, OutcomeUnknown, StoreUnavailable } from "../domain/ports/store.ts"
import { Problem } from "../kernel/problem.ts"

/**
 * The problem that a client receives for an error: storage does not respond, a record in it is damaged, or a bug, of which the client
 * learns nothing.
 */
export function asProblem(error: unknown): Problem {
  if (error instanceof StoreUnavailable)
    return new Problem("unavailable", `Storage did not respond: ${error.message}. ${outcomeOf(error)}`, {
      retryAfter: 5,
    })
  return error instanceof DamagedRecord ? new Problem("damaged", error.message) : bug
}

const outcomeOf = (error: StoreUnavailable): string =>
  error instanceof OutcomeUnknown
    ? "It is not known whether the change was made: repeat the request with the same Idempotency-Key. " +
      "If it had none, read before you repeat it."
    : "Nothing was changed."

const bug = new Problem("internal-error", "Something went wrong on our side. Please report the requestId.")
