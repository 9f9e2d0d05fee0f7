import type { Caller } from "../../domain/accounts/model.ts"
import type { ExchangeFacts, JournalEntry, RecordedMessages } from "../../domain/sandbox/model.ts"
import type { RecordedRequest } from "../../domain/sandbox/requests/contract.ts"
import { timestamp } from "../../kernel/clock.ts"
import { jsonType } from "../../kernel/network/media-types.ts"
import { withoutSecrets } from "./without-secrets.ts"

/** An entry of a journal as clients see it, without credentials; undefined once it was removed. */
export function showEntry(entry: JournalEntry): RecordedRequest | undefined {
  const messages = entry.read()
  return messages && show(entry, messages)
}

function show({ id, at, facts }: JournalEntry, messages: RecordedMessages): RecordedRequest {
  const { method, status, durationMs, operation, caller, problem, fault, webhookId, explanation } = facts
  const credential = caller && credentialOf(caller)
  return {
    id,
    time: timestamp(at),
    method,
    path: showTarget(messages),
    ...(status !== undefined && { status }),
    durationMs: Math.round(durationMs * 100) / 100,
    ...(operation !== undefined && { operation }),
    ...(caller && credential && { caller: credential, account: caller.account.id }),
    ...(caller?.user && { user: caller.user.id }),
    ...(problem !== undefined && { problem }),
    ...(fault !== undefined && { fault }),
    ...(webhookId !== undefined && { webhook: webhookId }),
    request: showMessage(messages.requestHeaders, messages.requestBody, identifyingHeader(facts)),
    response: showMessage(messages.responseHeaders, messages.responseBody),
    ...(explanation !== undefined && { explanation: JSON.parse(withoutSecrets.inBody(explanation, jsonType, false)) }),
  }
}

/** The credential and its id, such as `key 3`. */
export const credentialOf = ({ credential: { kind, id } }: Caller): string => `${kind} ${id}`

function showTarget({ path, query }: RecordedMessages): string {
  const shown = withoutSecrets.inPath(path)
  return query === "" ? shown : `${shown}?${withoutSecrets.inQuery(query)}`
}

/** The header that identified the caller; undefined when the service assumed a key. */
function identifyingHeader({ caller }: ExchangeFacts) {
  if (!caller || caller.isAssumed) return undefined
  const { kind, id } = caller.credential
  return { header: kind === "key" ? "api_key" : "authorization", id: `${kind} ${id}` }
}

function showMessage(
  headers: readonly string[],
  body: RecordedMessages["requestBody"],
  identifying?: { header: string; id: string },
) {
  const shown = new Map<string, string>()
  for (let n = 0; n < headers.length; n += 2) {
    const [name, value] = [(headers[n] as string).toLowerCase(), headers[n + 1] as string]
    const earlier = shown.get(name)
    shown.set(name, earlier === undefined ? value : `${earlier}, ${value}`)
  }
  // A character that was cut at the end is left out.
  const text =
    body && !shown.has("content-encoding")
      ? new TextDecoder("utf-8", utf8).decode(body.bytes, { stream: true })
      : undefined
  const isTruncated = body?.isCut ?? false
  return {
    headers: withoutSecrets.inHeaders(shown, identifying),
    ...(text !== undefined && { body: withoutSecrets.inBody(text, shown.get("content-type") ?? "", isTruncated) }),
    ...(isTruncated && { isTruncated }),
  }
}

const utf8 = { ignoreBOM: true }
