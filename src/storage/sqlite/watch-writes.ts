import { StoreUnavailable } from "../../domain/ports/store.ts"
import { toStoreError } from "./connection.ts"

const probeMs = 5_000
/** SQLite's primary result codes for what passes by itself: busy, out of memory. */
const passing = new Set([5, 7])

/**
 * Knows whether writes succeed from those that were made. After one that did not, a change that changes nothing is tried
 * now and then, because nobody sends writes to a service that says it is not ready.
 */
export function watchWrites(isFull: () => boolean, probe: () => Promise<unknown>) {
  let failure: string | undefined
  let timer: NodeJS.Timeout | undefined
  if (isFull()) watch()

  function watch(): void {
    // What becomes of it is told through `succeeded` and `failed`.
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

    /** Told of everything that undid a transaction, rules included. */
    failed(error: unknown): void {
      const reason = lastingReason(error)
      if (reason === undefined) return
      failure = reason
      watch()
    },

    /** Why writes cannot succeed, as the end of a sentence; undefined while they can. */
    refusal: (): string | undefined => (isFull() ? "the disk is full" : failure),
    close,
  }
}

/** Why the machine failed a statement; undefined for a rule, a bug, and a failure that passes by itself. */
export function lastingReason(error: unknown): string | undefined {
  const failure = toStoreError(error)
  if (!(failure instanceof StoreUnavailable)) return undefined
  const { errcode } = (failure.cause ?? {}) as { errcode?: number }
  return errcode === undefined || passing.has(errcode & 0xff) ? undefined : failure.message
}
