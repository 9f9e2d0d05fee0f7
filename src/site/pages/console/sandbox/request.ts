import type { RecordedRequest } from "../../../../domain/sandbox/requests/contract.ts"
import { sandboxPath } from "../../../../kernel/network/path.ts"
import { html, type Markup } from "../../html.ts"
import { copyButton } from "../../parts/copyable.ts"
import { detail, facts } from "../../parts/detail.ts"
import { heading } from "../../parts/heading.ts"
import { timeTag } from "../../parts/time.ts"
import { valueUnless } from "../call.ts"
import type { ConsolePage, Visit } from "../page.ts"
import { aftermath } from "./aftermath.ts"
import { judged } from "./judged.ts"
import { findRequest, isCredential, repeatedHeaders } from "./recorded.ts"
import { statusBadge } from "./requests.ts"
import { consoleOf, inSandbox } from "./sandbox-home.ts"
import { again, questionOf, sendAgain } from "./send-again.ts"

const requestAt = (path: `/${string}`): ConsolePage => ({
  path,
  title: "Request",
  scope: "admin",
  isOfSandbox: true,
  async show(visit) {
    const one = await findRequest(visit)
    const back = { to: visit.path.replace(/\/\d+$/, ""), label: "All requests" }
    return html`${heading(visit, { back, title: `${one.method} ${one.path}`, badge: statusBadge(one.status) })}
<div class="doings">${copyButton(curlOf(visit, one), "", "Copy as curl")}${again(visit, one)}</div>
${detail(
  html`${await requestFacts(visit, one)}
${message("Request", one.request)}
${message("Response", one.response)}`,
  await aftermath(visit, one),
)}`
  },
  asks: { repeat: { always: true, question: questionOf } },
  actions: { again: sendAgain, repeat: sendAgain },
})

export const requestPage = requestAt("/requests/:requestId")
export const namedRequestPage = requestAt("/sandbox/:name/requests/:requestId")

/** The recorded request, with the reader's key in the variable of the command line: credentials are not recorded. */
function curlOf(
  { service, params: { name } }: Visit,
  { method, path, request: { headers, body } }: RecordedRequest,
): string {
  const base = service.publicUrl() + (name === undefined ? "" : sandboxPath(name))
  const hasCredential = Object.keys(headers).some(isCredential)
  return [
    `curl -X ${method} ${quoted(base + path)}`,
    ...(hasCredential ? ['-H "api_key: $PETSTORE_KEY"'] : []),
    ...repeatedHeaders(headers).map(([header, value]) => `-H ${quoted(`${header}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(" ")
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

async function requestFacts(visit: Visit, one: RecordedRequest): Promise<Markup> {
  const key = await keyOf(visit, one)
  return facts({
    Time: timeTag(one.time),
    Took: `${one.durationMs} ms`,
    Operation: one.operation,
    Credential: key ? html`<a href="${consoleOf(visit)}/keys/${key.id}">${key.name}</a> (${one.caller})` : one.caller,
    Scopes: key?.scopes.join(", "),
    Limits: limitsIn(one.response.headers.ratelimit),
    Problem: one.problem && html`<a href="${visit.root}/../problems/${one.problem}">${one.problem}</a>`,
    Fault: one.fault,
    Webhook: one.webhook,
    ...judged(one),
  })
}

/** The API key that was used; undefined for another credential, and for the key of an account that the reader does not act for. */
async function keyOf(visit: Visit, { caller = "" }: RecordedRequest) {
  const [, id] = /^key (\d+)$/.exec(caller) ?? []
  const call = await inSandbox(visit)
  return id === undefined ? undefined : valueUnless("key-not-found", call.getKey({ params: { id: Number(id) } }))
}

/** What the header `RateLimit` said of each window. */
function limitsIn(header = ""): string | undefined {
  const windows = [...header.matchAll(/"(\w+)";r=(\d+);t=(\d+)/g)]
  return (
    windows.map(([, window, left, seconds]) => `${left} left of the ${window}, more in ${seconds} s`).join("; ") ||
    undefined
  )
}

function message(title: string, { headers, body, isTruncated }: RecordedRequest["request"]): Markup {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return html`<h2>${title}</h2>
<pre class="wrap">${lines.join("\n") || "No headers"}</pre>
${body === undefined ? html`<p class="soft">No body is recorded.</p>` : html`<pre class="wrap">${pretty(body)}</pre>${copyButton(body, "the body")}`}
${isTruncated && body !== undefined && html`<p class="soft">These are the first 16 KiB of the body.</p>`}`
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
