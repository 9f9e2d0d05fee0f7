import type { Readable } from "node:stream"
import { StoreUnavailable } from "../../domain/ports/store.ts"

/**
 * The bytes of a response. A sender that pauses for longer than `pauseMs` while somebody waits is given up; a reader that
 * stops, even before it has begun, gives the connection back.
 */
export function readBody(body: Readable, pauseMs: number): AsyncIterable<Uint8Array> {
  // Heard even while nobody reads; whoever reads next is told.
  body.on("error", () => {})
  return {
    [Symbol.asyncIterator]() {
      const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
      return {
        async next() {
          const timer = setTimeout(() => body.destroy(new Error("no bytes in time")), pauseMs)
          try {
            return await chunks.next()
          } catch (error) {
            throw new StoreUnavailable("S3 stopped in the middle of an image", { cause: error })
          } finally {
            clearTimeout(timer)
          }
        },
        async return() {
          body.destroy()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
