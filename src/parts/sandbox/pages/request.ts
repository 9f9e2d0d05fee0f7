import type { ConsolePage, Visit } from "../../console/pages/page.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { copyButton } from "../../site/pages/parts/copyable.ts"
import { detail, facts } from "../../site/pages/parts/detail.ts"
import { heading } from "../../site/pages/parts/heading.ts"
import { timeTag } from "../../site/pages/parts/time.ts"
import { valueUnless } from "../../site/serving/call.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import { sandboxPath } from "../named/path.ts"
import { aftermath } from "./aftermath.ts"
import { otherAttempts } from "./attempts.ts"
import { judged } from "./judged.ts"
import { prettyJson } from "./pretty-json.ts"
import { findRequest, isCredential, missingBody, repeatedHeaders } from "./recorded.ts"
import { statusBadge } from "./requests.ts"
import { consoleOf, inSandbox } from "./sandbox-home.ts"
import { again, questionOf, readAgain, sendAgain } from "./send-again.ts"

const requestAt = (path: `/${string}`): ConsolePage => ({
  path,
  title: "Request",
  scope: "admin",
  async show(visit) {
    const one = await findRequest(visit)
    const back = { to: visit.path.replace(/\/\d+$/, ""), label: "All requests" }
    return html`${heading(visit, { back, title: `${one.method} ${one.path}`, badge: statusBadge(one.status) })}
<div class="doings">${copyButton(curlOf(visit, one), "", "Copy as curl")}${again(visit, one)}</div>
${detail(
  html`${await requestFacts(visit, one)}
${otherAttempts(one, `${visit.root}${back.to}`)}
${message("Request", one.request)}
${message("Response", one.response)}`,
  await aftermath(visit, one),
)}`
  },
  asks: { repeat: { always: true, question: questionOf } },
  actions: { again: readAgain, repeat: sendAgain },
})

export const requestPage = requestAt("/requests/:requestId")
export const namedRequestPage = requestAt("/sandbox/:name/requests/:requestId")

/** The recorded request, with the reader's key in the variable of the command line: credentials are not recorded. */
function curlOf({ service, params: { name } }: Visit, one: RecordedRequest): string {
  const { method, path, request } = one
  const { headers, body } = request
  const missing = missingBody(one)
  const base = service.publicUrl() + (name === undefined ? "" : sandboxPath(name))
  const hasCredential = Object.keys(headers).some(isCredential)
  return [
    `curl -X ${method} ${quoted(base + path)}`,
    ...(hasCredential ? ['-H "api_key: $PETSTORE_KEY"'] : []),
    ...repeatedHeaders(headers).map(([header, value]) => `-H ${quoted(`${header}: ${value}`)}`),
    ...(body === undefined || missing !== undefined ? [] : [`--data-raw ${quoted(body)}`]),
    ...(missing === undefined ? [] : [`# the body was not recorded: ${missing}`]),
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
    Held: one.heldMs && `${one.heldMs} ms`,
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

function message(title: string, { headers, body, isTruncated, bodyNotRead }: RecordedRequest["request"]): Markup {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return html`<h2>${title}</h2>
<pre class="wrap">${lines.join("\n") || "No headers"}</pre>
${body === undefined ? html`<p class="soft">${bodyNotRead ? "There was a body, of which nothing was read." : "No body is recorded."}</p>` : html`<pre class="wrap">${prettyJson(body)}</pre>${copyButton(body, "the body")}`}
${isTruncated && body !== undefined && html`<p class="soft">This is the beginning of the body, at most 16 KiB.</p>`}`
}
