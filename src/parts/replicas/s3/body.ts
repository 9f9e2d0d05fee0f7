import type { Readable } from "node:stream"
import { StoreUnavailable } from "../../../core/domain/ports/store.ts"

/** The bytes of a response. A chunk may take `pauseMs`; a reader that stops, even before the first, releases the connection. */
export function streamBody(body: Readable, pauseMs: number): AsyncIterable<Uint8Array> {
  // An error without a reader would end the process; the next read rethrows it.
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
