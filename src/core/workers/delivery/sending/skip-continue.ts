import type { Socket } from "node:net"

const interim = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/
const interimBytesMin = 13
/** Longer ones are left to the parser, which refuses them. */
const interimBytesMax = 16_384

/**
 * Removes interim responses (1xx), except 101, before the final one. RFC 9110 section 15.2 requires a client to accept them, and
 * undici closes the connection after a 100 that it did not ask for.
 */
export function skipContinue<S extends Socket>(socket: S): S {
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket) as (...sent: unknown[]) => boolean
  let isBeforeResponse = true
  let start: Buffer = Buffer.alloc(0)
  return Object.assign(socket, {
    write(...sent: unknown[]): boolean {
      isBeforeResponse = true
      return write(...sent)
    },
    read(size?: number): Buffer | null {
      for (;;) {
        const chunk: Buffer | null = read(size)
        if (chunk === null || !isBeforeResponse) return chunk
        start = withoutInterim(Buffer.concat([start, chunk]))
        if (start.length < interimBytesMin || isInterim(start)) continue
        const response = start
        start = Buffer.alloc(0)
        isBeforeResponse = false
        return response
      }
    },
  })
}

function withoutInterim(bytes: Buffer): Buffer {
  if (!isInterim(bytes)) return bytes
  const end = bytes.indexOf("\r\n\r\n")
  return end === -1 ? bytes : withoutInterim(bytes.subarray(end + 4))
}

const isInterim = (bytes: Buffer): boolean =>
  bytes.length <= interimBytesMax && interim.test(bytes.toString("latin1", 0, interimBytesMin))
