import type { Caller } from "../../../core/domain/accounts/model.ts"
import { api } from "../../../core/domain/api.ts"
import { timestamp } from "../../../core/kernel/clock.ts"
import type { Endpoint } from "../../../core/kernel/endpoint/endpoint.ts"
import { jsonType } from "../../../core/kernel/network/media-types.ts"
import type { JsonSchema } from "../../../core/kernel/schema/type.ts"
import type { ExchangeFacts, JournalEntry, RecordedMessages } from "../model.ts"
import type { RecordedRequest } from "./contract.ts"
import { hidden, isSecretName } from "./secret-forms.ts"
import { withoutSecrets } from "./without-secrets.ts"

/** An entry of a journal as clients see it, without credentials; undefined once it was removed. */
export function showEntry(entry: JournalEntry): RecordedRequest | undefined {
  const messages = entry.read()
  return messages && show(entry, messages)
}

function show({ id, at, facts }: JournalEntry, messages: RecordedMessages): RecordedRequest {
  const { method, status, durationMs, operation, caller, problem, fault, heldMs, webhookId, explanation } = facts
  const credential = caller && credentialOf(caller)
  const request = showMessage(messages.requestHeaders, messages.requestBody, {
    identifying: identifyingHeader(facts),
    takesSecret: takesSecret(operation, messages.path),
  })
  const response = showMessage(messages.responseHeaders, messages.responseBody)
  // A problem may repeat what the body has in place of names.
  const isRepeated = request.body === hidden && problem !== undefined
  return {
    id,
    time: timestamp(at),
    method,
    path: showTarget(messages),
    ...(status !== undefined && { status }),
    durationMs: rounded(durationMs),
    ...(operation !== undefined && { operation }),
    ...(caller && credential && { caller: credential, account: caller.account.id }),
    ...(caller?.user && { user: caller.user.id }),
    ...(problem !== undefined && { problem }),
    ...(fault !== undefined && { fault }),
    ...(heldMs !== undefined && { heldMs: rounded(heldMs) }),
    ...(webhookId !== undefined && { webhook: webhookId }),
    request: { ...request, ...(facts.isBodyUnread && { bodyNotRead: true }) },
    response: { ...response, ...(isRepeated && response.body !== undefined && { body: hidden }) },
    ...(explanation !== undefined && {
      explanation: {
        ...JSON.parse(withoutSecrets.inBody(explanation, jsonType, false)),
        ...(isRepeated && { violations: [] }),
      },
    }),
  }
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100

/** What it shows of an entry without reading what was sent. */
export const factsOf = ({ facts: { operation, method, status, caller } }: JournalEntry) => ({
  operation,
  method,
  status,
  caller: caller && credentialOf(caller),
})

/** The credential and its id, such as `key 3`. */
export const credentialOf = ({ credential: { kind, id } }: Caller): string => `${kind} ${id}`

export function showTarget({ path, query }: Pick<RecordedMessages, "path" | "query">): string {
  const shown = withoutSecrets.inPath(path)
  return query === "" ? shown : `${shown}?${withoutSecrets.inQuery(query)}`
}

/** The header that identified the caller; undefined when the service assumed a key. */
function identifyingHeader({ caller }: ExchangeFacts) {
  if (!caller || caller.isAssumed) return undefined
  const { kind, id } = caller.credential
  return { header: kind === "key" ? "api_key" : "authorization", id: `${kind} ${id}` }
}

type OfRequest = { identifying: { header: string; id: string } | undefined; takesSecret: boolean }

function showMessage(
  headers: readonly string[],
  body: RecordedMessages["requestBody"],
  { identifying, takesSecret }: OfRequest = { identifying: undefined, takesSecret: false },
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
    ...(text !== undefined && {
      body: withoutSecrets[takesSecret ? "inSecretBody" : "inBody"](text, shown.get("content-type") ?? "", isTruncated),
    }),
    ...(isTruncated && { isTruncated }),
  }
}

/** Whether the operation takes a password or another secret in its body; of an unknown method or path, whether its neighbours do. */
const takesSecret = (operation: string | undefined, path: string): boolean =>
  operation === undefined ? /\/(user|oauth)\b/.test(path) : withSecret.has(operation)

const withSecret: ReadonlySet<string> = new Set(
  Object.entries<Endpoint>(api).flatMap(([name, { body }]) => (body && namesSecret(body as JsonSchema) ? [name] : [])),
)

function namesSecret({ properties = {}, items }: JsonSchema): boolean {
  const isNamed = Object.entries(properties).some(([name, of]) => isSecretName(name) || namesSecret(of))
  return isNamed || (items !== undefined && namesSecret(items))
}

const utf8 = { ignoreBOM: true }
