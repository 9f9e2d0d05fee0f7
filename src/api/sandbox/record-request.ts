import type { RecordedBody } from "../../domain/sandbox/model.ts"
import { basePath, v2Path } from "../../kernel/network/path.ts"
import type { Exchange } from "../../server/pipeline/exchange.ts"

/** Bytes of a body that a journal shows. */
export const shownBytesMax = 16 * 1024
/** Length of a text that an entry keeps as a whole, because the response has it anyway: of a longer one it copies the beginning. */
const wholeLengthMax = 64 * 1024

/** Reading the journal leaves it as it is. */
const unrecorded: ReadonlySet<string | undefined> = new Set(["listRequests", "streamRequests"])
const [belowApi, belowV2] = [`${basePath}/`, `${v2Path}/`]

/** Adds an ended exchange to the journal of its sandbox, if it has one: references only, because most are never read. */
export function recordRequest(exchange: Exchange, durationMs: number): void {
  const { journal, path, route } = exchange
  if (!journal || unrecorded.has(route?.operation)) return
  if (!path.startsWith(belowApi) && !path.startsWith(belowV2)) return
  journal.add({
    durationMs,
    operation: route?.operation,
    webhookId: undefined,
    method: exchange.method,
    path,
    query: exchange.query,
    status: exchange.status,
    problem: exchange.problem,
    fault: exchange.fault,
    caller: exchange.caller,
    requestId: exchange.id,
    requestHeaders: exchange.request.rawHeaders,
    responseHeaders: exchange.head,
    addedHeaders: exchange.headers,
    requestBody: exchange.received && keepBytes(exchange.received),
    responseBody: keepBody(exchange.sent),
  })
}

function keepBody(body: string | Uint8Array | undefined): RecordedBody {
  if (body === undefined || body.length === 0) return undefined
  if (typeof body !== "string") return keepBytes(body)
  return body.length <= wholeLengthMax ? body : keepBytes(Buffer.from(body.slice(0, shownBytesMax + 1)))
}

/** Bytes are copied into a string: they may be a part of a larger buffer, and small buffers are dear. */
function keepBytes(bytes: Uint8Array): RecordedBody {
  if (bytes.length === 0) return undefined
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { latin1: buffer.toString("latin1", 0, shownBytesMax), isCut: bytes.length > shownBytesMax }
}
