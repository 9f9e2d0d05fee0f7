import type { RecordedBody } from "../../domain/sandbox/model.ts"
import { basePath, v2Path } from "../../kernel/network/path.ts"
import type { Exchange } from "../pipeline/exchange.ts"

/** Bytes of a body that a journal keeps. */
const bodyBytesMax = 16 * 1024

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
    responseHeaders: exchange.head.concat(exchange.headers),
    requestBody: keep(exchange.received),
    responseBody: keep(exchange.sent),
  })
}

/** The beginning of a body; a copy where a part would keep the whole in memory. */
function keep(body: string | Uint8Array | undefined): RecordedBody {
  if (body === undefined || body.length === 0) return undefined
  if (body.length > bodyBytesMax) {
    const bytes = typeof body === "string" ? Buffer.from(body.slice(0, bodyBytesMax)) : body
    return { beginning: copy(bytes) }
  }
  return typeof body === "string" || body.buffer.byteLength <= bodyBytesMax ? body : copy(body)
}

const copy = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes.subarray(0, bodyBytesMax))
