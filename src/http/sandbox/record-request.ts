import type { ExchangedMessage } from "../../domain/sandbox/model.ts"
import { basePath, v2Path } from "../../kernel/network/path.ts"
import type { Exchange } from "../pipeline/exchange.ts"

/** Bytes of a body that a journal keeps. */
const bodyBytesMax = 16 * 1024

/** Reading the journal leaves it as it is. */
const unrecorded: ReadonlySet<string | undefined> = new Set(["listRequests", "streamRequests"])
const recorded = [basePath, v2Path].map((path) => `${path}/`)

/** Adds an ended exchange to the journal of its sandbox, if it has one: references only, because most are never read. */
export function recordRequest(exchange: Exchange, durationMs: number): void {
  const { journal, path, route } = exchange
  if (!journal || unrecorded.has(route?.operation) || !recorded.some((start) => path.startsWith(start))) return
  const { method, query, status, problem, fault, caller, request, head, received, sent } = exchange
  journal.add({
    ...{ durationMs, operation: route?.operation, webhookId: undefined, method, path, query, status },
    ...{ problem, fault, caller },
    request: messageOf(request.rawHeaders, received),
    response: messageOf(head, sent),
  })
}

/** A message with the beginning of its body. */
const messageOf = (headers: readonly string[], body: string | Uint8Array | undefined): ExchangedMessage => ({
  headers,
  body: body && keep(body),
  isTruncated: body !== undefined && body.length > bodyBytesMax,
})

/** The beginning of a body; a copy where a part would keep the whole in memory. */
function keep(body: string | Uint8Array): string | Uint8Array {
  if (typeof body !== "string") return body.buffer.byteLength > bodyBytesMax ? copy(body) : body
  return body.length > bodyBytesMax ? copy(Buffer.from(body.slice(0, bodyBytesMax))) : body
}

const copy = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes.subarray(0, bodyBytesMax))
