import { StoreUnavailable } from "../../../core/domain/ports/store.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import type { StartOfBlobs } from "../../../core/storage/service-blobs.ts"
import { isRefusal } from "./request.ts"

/** Times in milliseconds: how long a start waits for S3, and how long the service waits before it tries again. */
const usualPace = { waitMs: 5_000, againMs: 5_000 }

/** Keeps whether S3 can be reached, by the outcome of requests, and repeats `connect` while it cannot. */
export function createReach(connect: () => Promise<void>, report: StartOfBlobs["report"], pace = usualPace) {
  let isAway = false
  let isClosed = false
  /** The last reason for which a start would have been refused. */
  let refusal: string | undefined
  let timer: NodeJS.Timeout | undefined

  function beAway(reason: Error): void {
    if (isClosed) return
    const isRefused = reason instanceof CannotStart && reason.message !== refusal
    if (isRefused) refusal = reason.message
    if (!isAway || isRefused) report(reason.message)
    isAway = true
    timer ??= setTimeout(again, pace.againMs).unref()
  }

  async function again(): Promise<void> {
    try {
      await connect()
      beBack()
    } catch (error) {
      timer = undefined
      // The operator may remove a reason that would prevent a start.
      beAway(error as Error)
    }
  }

  function beBack(): void {
    clearTimeout(timer)
    timer = refusal = undefined
    if (isAway) report(undefined)
    isAway = false
  }

  function close(): void {
    isClosed = true
    clearTimeout(timer)
  }

  return {
    /** Connects; after a while without a response it resolves, and connecting continues. Throws CannotStart. */
    async start(): Promise<void> {
      const { promise: late, reject } = Promise.withResolvers<never>()
      const giveUp = setTimeout(() => reject(new StoreUnavailable("S3 did not respond in time")), pace.waitMs)
      const connecting = connect()
      // After `late`, which the timer replaces.
      connecting.catch(() => {})
      try {
        await Promise.race([connecting, late])
        if (isAway) beBack()
      } catch (error) {
        if (error instanceof StoreUnavailable) return beAway(error)
        close()
        throw error
      } finally {
        clearTimeout(giveUp)
      }
    },

    /** Notes the outcome of a request, and returns it. */
    async watch<T>(outcome: Promise<T>): Promise<T> {
      try {
        return await outcome
      } catch (error) {
        if (error instanceof StoreUnavailable && !isRefusal(error)) beAway(error)
        throw error
      }
    },

    isAway: () => isAway,
    close,
  }
}
