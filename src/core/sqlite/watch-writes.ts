import { StoreUnavailable } from "../domain/ports/store.ts"
import { toSqliteError } from "./connection.ts"

const probeMs = 5_000
/** SQLite's primary result codes for temporary failures: busy, out of memory. */
const passing = new Set([5, 7])

/** Tracks whether writes succeed. After a failure it retries an empty write, because clients avoid a service that is not ready. */
export function watchWrites(isFull: () => boolean, probe: () => Promise<unknown>) {
  let failure: string | undefined
  let timer: NodeJS.Timeout | undefined
  if (isFull()) watch()

  function watch(): void {
    // `succeeded` and `failed` receive the outcome.
    timer ??= setInterval(() => void probe().catch(() => undefined), probeMs).unref()
  }

  function close(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    succeeded(): void {
      failure = undefined
      if (timer && !isFull()) close()
    },

    /** Called for everything that rolled back a transaction, including refusals by rules. */
    failed(error: unknown): void {
      const reason = lastingReason(error)
      if (reason === undefined) return
      failure = reason
      watch()
    },

    /** Why writes fail, as the end of a sentence; undefined while they succeed. */
    refusal: (): string | undefined => (isFull() ? "the disk is full" : failure),
    close,
  }
}

/** Why the machine failed a statement; undefined for a rule, a bug, and a temporary failure. */
export function lastingReason(error: unknown): string | undefined {
  const failure = toSqliteError(error)
  if (!(failure instanceof StoreUnavailable)) return undefined
  const { errcode } = (failure.cause ?? {}) as { errcode?: number }
  return errcode === undefined || passing.has(errcode & 0xff) ? undefined : failure.message
}
