import type { Exchanged, JournalEntry, RecordedBody } from "../../domain/sandbox/model.ts"
import type { RecordedRequest } from "../../domain/sandbox/requests/contract.ts"
import { timestamp } from "../../kernel/clock.ts"
import { withoutSecrets } from "./without-secrets.ts"

/** An entry of a journal as clients see it, without credentials. */
export function showEntry({ id, at, exchanged }: JournalEntry): RecordedRequest {
  const { method, path, query, status, durationMs, operation, caller, problem, fault, webhookId } = exchanged
  const credential = caller && `${caller.credential.kind} ${caller.credential.id}`
  return {
    id,
    time: timestamp(at),
    method,
    path: query === "" ? path : `${path}?${withoutSecrets.inQuery(query)}`,
    status,
    durationMs: Math.round(durationMs * 100) / 100,
    ...(operation !== undefined && { operation }),
    ...(caller && credential && { caller: credential, account: caller.account.id }),
    ...(caller?.user && { user: caller.user.id }),
    ...(problem !== undefined && { problem }),
    ...(fault !== undefined && { fault }),
    ...(webhookId !== undefined && { webhook: webhookId }),
    request: showMessage(exchanged.requestHeaders, exchanged.requestBody, credential),
    response: showMessage(responseHeadersOf(exchanged), exchanged.responseBody, undefined),
  }
}

const responseHeadersOf = ({ requestId, responseHeaders }: Exchanged): readonly string[] =>
  requestId === undefined ? responseHeaders : ["x-request-id", requestId, ...responseHeaders]

function showMessage(headers: readonly string[], body: RecordedBody, credential: string | undefined) {
  const shown = new Map<string, string>()
  for (let n = 0; n < headers.length; n += 2) {
    const [name, value] = [(headers[n] as string).toLowerCase(), headers[n + 1] as string]
    const earlier = shown.get(name)
    shown.set(name, earlier === undefined ? value : `${earlier}, ${value}`)
  }
  const isTruncated = typeof body === "object" && "beginning" in body
  const text =
    body === undefined || shown.has("content-encoding") ? undefined : textOf(isTruncated ? body.beginning : body)
  return {
    headers: withoutSecrets.inHeaders(shown, credential),
    ...(text !== undefined && { body: withoutSecrets.inBody(text, shown.get("content-type") ?? "", isTruncated) }),
    ...(isTruncated && { isTruncated }),
  }
}

/** A character that was cut at the end is left out. */
const textOf = (body: string | Uint8Array): string =>
  typeof body === "string" ? body : new TextDecoder().decode(body, { stream: true })
