import type { Exchanged, JournalEntry, RecordedBody, RequestJournal } from "../../domain/sandbox/model.ts"
import type { RecordedRequest } from "../../domain/sandbox/requests/contract.ts"
import { timestamp } from "../../kernel/clock.ts"
import { type Json, json } from "../../kernel/json/json.ts"
import { shownBytesMax } from "./record-request.ts"
import { withoutSecrets } from "./without-secrets.ts"

/** An entry of a journal as clients see it, without credentials; what it was made from is then no longer kept. */
export function showEntry(journal: Pick<RequestJournal, "keepShown">, entry: JournalEntry): Json<RecordedRequest> {
  const { id, at, content } = entry
  if (typeof content === "string") return content
  const shown = json(show(id, at, content))
  journal.keepShown(entry, shown)
  return shown
}

function show(id: number, at: number, exchanged: Exchanged): RecordedRequest {
  const { method, status, durationMs, operation, caller, problem, fault, webhookId } = exchanged
  const credential = caller && `${caller.credential.kind} ${caller.credential.id}`
  return {
    id,
    time: timestamp(at),
    method,
    path: showTarget(exchanged),
    ...(status !== undefined && { status }),
    durationMs: Math.round(durationMs * 100) / 100,
    ...(operation !== undefined && { operation }),
    ...(caller && credential && { caller: credential, account: caller.account.id }),
    ...(caller?.user && { user: caller.user.id }),
    ...(problem !== undefined && { problem }),
    ...(fault !== undefined && { fault }),
    ...(webhookId !== undefined && { webhook: webhookId }),
    request: showMessage(exchanged.requestHeaders, exchanged.requestBody, identifyingHeader(exchanged)),
    response: showMessage(responseHeadersOf(exchanged), exchanged.responseBody),
  }
}

function showTarget({ path, query }: Exchanged): string {
  const shown = withoutSecrets.inPath(path)
  return query === "" ? shown : `${shown}?${withoutSecrets.inQuery(query)}`
}

/** The header that identified the caller; undefined when the service assumed a key. */
function identifyingHeader({ caller }: Exchanged) {
  if (!caller || caller.isAssumed) return undefined
  const { kind, id } = caller.credential
  return { header: kind === "key" ? "api_key" : "authorization", id: `${kind} ${id}` }
}

function responseHeadersOf({ requestId, responseHeaders, addedHeaders }: Exchanged): readonly string[] {
  return [...(requestId === undefined ? [] : ["x-request-id", requestId]), ...responseHeaders, ...addedHeaders]
}

function showMessage(headers: readonly string[], body: RecordedBody, identifying?: { header: string; id: string }) {
  const shown = new Map<string, string>()
  for (let n = 0; n < headers.length; n += 2) {
    const [name, value] = [(headers[n] as string).toLowerCase(), headers[n + 1] as string]
    const earlier = shown.get(name)
    shown.set(name, earlier === undefined ? value : `${earlier}, ${value}`)
  }
  const { bytes, isTruncated } = beginningOf(body)
  // A character that was cut at the end is left out.
  const text =
    bytes && !shown.has("content-encoding") ? new TextDecoder("utf-8", utf8).decode(bytes, { stream: true }) : undefined
  return {
    headers: withoutSecrets.inHeaders(shown, identifying),
    ...(text !== undefined && { body: withoutSecrets.inBody(text, shown.get("content-type") ?? "", isTruncated) }),
    ...(isTruncated && { isTruncated }),
  }
}

const utf8 = { ignoreBOM: true }

function beginningOf(body: RecordedBody): { bytes: Uint8Array | undefined; isTruncated: boolean } {
  if (body === undefined) return { bytes: undefined, isTruncated: false }
  if (typeof body === "object" && "latin1" in body)
    return { bytes: Buffer.from(body.latin1, "latin1"), isTruncated: body.isCut }
  const bytes = typeof body === "string" ? Buffer.from(body) : body
  return { bytes: bytes.subarray(0, shownBytesMax), isTruncated: bytes.length > shownBytesMax }
}
