import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import { jsonType } from "../../kernel/network/media-types.ts"
import { Problem } from "../../kernel/problem.ts"
import { sendContinue } from "./expect-continue.ts"
import { mediaTypeOf } from "./media-type.ts"
import { hasBody } from "./request-head.ts"

const [kibibyte, mebibyte] = [1024, 1024 * 1024]
export const emptyBody = Buffer.alloc(0)
/** How much of an unwanted body is read, and for how long, so that the client receives the response before the connection ends. */
const drainedBytesMax = 16 * 1024 * 1024
const drainTimeoutMs = 5_000

/** Gets what was received of a body that is refused. */
type Refused = (received: Buffer) => void

/** Throws the 413 when there are more than `bytesMax`. */
export function readRequestBody(request: IncomingMessage, bytesMax: number, refused?: Refused): Awaitable<Buffer> {
  if (!hasBody(request)) return emptyBody
  const tooMany = () => tooLargeBody(bytesMax).withHeaders({ connection: "close" })
  return receiveBody(request, { bytesMax, refused, tooMany })
}

export const tooLargeBody = (bytesMax: number): Problem =>
  new Problem("body-too-large", `The body is larger than the ${bytesMax / kibibyte} KiB this operation reads`)

/** Requires an empty body; throws the 415 for any other, which would be ignored. `{}` counts as empty: many clients always send JSON. */
export function readNoBody(request: IncomingMessage, _?: number, refused?: Refused): Awaitable<Buffer> {
  if (!hasBody(request)) return emptyBody
  return receiveBody(request, { bytesMax: emptyObjectBytesMax, refused, tooMany: () => unwanted }).then((bytes) => {
    if (bytes.length === 0 || isEmptyObject(bytes, request.headers)) return bytes
    refused?.(bytes)
    throw unwanted
  })
}

/** Whether a body is an empty JSON object, which counts as no body. `Content-Type` must be JSON or absent. */
export const isEmptyObject = (bytes: Buffer, { "content-type": type }: IncomingHttpHeaders): boolean =>
  bytes.length <= emptyObjectBytesMax &&
  (type === undefined || mediaTypeOf(type) === jsonType) &&
  /^[ \t\r\n]*\{[ \t\r\n]*\}[ \t\r\n]*$/.test(bytes.toString("latin1"))

/** Two braces and some white space. */
const emptyObjectBytesMax = 64

const unwanted = new Problem("unsupported-media-type", "This operation takes no body. Send the request without one.")

type Receiving = { bytesMax: number; refused: Refused | undefined; tooMany(): Problem }

function receiveBody(request: IncomingMessage, { bytesMax, refused, tooMany }: Receiving): Promise<Buffer> {
  if (Number(request.headers["content-length"]) > bytesMax) throw tooMany()
  sendContinue(request)

  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= bytesMax) chunks.push(chunk)
      else refuse(tooMany())
    })
    request.once("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    request.once("error", () => refuse(incomplete()))

    function refuse(problem: Problem): void {
      refused?.(Buffer.concat(chunks))
      reject(problem)
    }
  })
}

/** The beginning of a body that nothing else reads: at most some bytes more than `bytesMax`, and what arrives within the time. */
export function readBeginning(request: IncomingMessage, bytesMax: number, withinMs: number): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, withinMs).unref()
  const chunks: Buffer[] = []
  let bytes = 0
  const keep = (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > bytesMax) resolve()
  }
  request.on("data", keep)
  for (const ending of ["end", "error", "close"]) request.once(ending, () => resolve())
  return promise.then(() => {
    clearTimeout(timer)
    request.off("data", keep)
    return Buffer.concat(chunks)
  })
}

/** The bytes of a request as they arrive. A consumer that stops early leaves the rest unread and the connection open. */
export async function* receivedBytes(request: IncomingMessage): AsyncGenerator<Buffer> {
  sendContinue(request)
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch {
    throw incomplete()
  }
}

const incomplete = () => new Problem("malformed-request", "The body ended before it was complete")

/** Reads and drops the rest of a body. Closes the connection of a client that exceeds the bounds. */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  let left = drainedBytesMax
  const timer = setTimeout(() => request.destroy(), drainTimeoutMs).unref()
  request.on("error", () => undefined)
  request.on("close", () => clearTimeout(timer))
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.destroy()
  })
}

/** Passes the bytes on and counts them; throws the 413 when there are more than `bytesMax`. */
export async function* limited(
  source: AsyncIterable<Buffer>,
  bytesMax: number,
  count = { bytes: 0 },
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    count.bytes += chunk.length
    if (count.bytes > bytesMax) throw tooLarge(bytesMax)
    yield chunk
  }
}

export const tooLarge = (bytesMax: number): Problem =>
  new Problem("body-too-large", `The file is larger than ${bytesMax / mebibyte} MiB`)
