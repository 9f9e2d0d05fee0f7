import { DatabaseError } from "pg"
import { StoreUnavailable } from "../../domain/ports/store.ts"

/** Codes of a server that responds and takes no writes (PostgreSQL manual, appendix A). */
const refusals: readonly (readonly [code: string, reason: string])[] = [
  ["25006", "the database is a standby or read-only"],
  ["53100", "the disk of the database is full"],
  ["58", "the database cannot use its disk"],
]

/**
 * Knows whether a server takes writes from those that were made. Every process that serves the database writes its
 * heartbeat, so that this stays known while nobody else sends a write.
 */
export function watchWrites() {
  let refusal: string | undefined

  async function watch<T>(transaction: Promise<T>): Promise<T> {
    try {
      const result = await transaction
      refusal = undefined
      return result
    } catch (error) {
      refusal = reasonOf(error) ?? refusal
      throw error
    }
  }

  return {
    watch,
    /** Why writes cannot succeed, as the end of a sentence; undefined while they can, and while the server cannot be asked. */
    refusal: () => refusal,
  }
}

function reasonOf(error: unknown): string | undefined {
  const { cause } = error instanceof StoreUnavailable ? error : {}
  if (!(cause instanceof DatabaseError)) return undefined
  return refusals.find(([code]) => cause.code?.startsWith(code))?.[1]
}
