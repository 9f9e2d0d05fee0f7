import { counted } from "../../../core/kernel/counted.ts"
import type { ConsolePage, Visit } from "../../console/pages/page.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { copyButton } from "../../site/pages/parts/copyable.ts"
import { type Fact, facts } from "../../site/pages/parts/detail.ts"
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
${await bothSides(visit, one)}
${otherAttempts(one, `${visit.root}${back.to}`)}
${await aftermath(visit, one)}`
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

/** The request, and beside it the response. */
async function bothSides(visit: Visit, one: RecordedRequest): Promise<Markup> {
  const key = await keyOf(visit, one)
  const { request, response } = judged(one)
  const sent = {
    Time: timeTag(one.time),
    Operation: one.operation,
    Credential: key ? html`<a href="${consoleOf(visit)}/keys/${key.id}">${key.name}</a> (${one.caller})` : one.caller,
    Scopes: key?.scopes.join(", "),
    Webhook: one.webhook,
    ...request,
  }
  const received = {
    Took: `${one.durationMs} ms`,
    Limits: limitsIn(one.response.headers.ratelimit),
    Problem: one.problem && html`<a href="${visit.root}/../problems/${one.problem}">${one.problem}</a>`,
    Fault: one.fault,
    Held: one.heldMs && `${one.heldMs} ms`,
    ...response,
  }
  return html`<div class="sides">
<section>${message("Request", one.request, sent)}</section>
<section>${message("Response", one.response, received)}</section>
</div>`
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

const headersShown = 6

type Message = RecordedRequest["request"]

const message = (
  title: string,
  { headers, body, ...about }: Message,
  known: Readonly<Record<string, Fact>>,
): Markup => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const more = lines.slice(headersShown)
  return html`<h2>${title}</h2>
${facts(known)}
<pre class="wrap">${lines.slice(0, headersShown).join("\n") || "No headers"}</pre>
${more.length > 0 && html`<details><summary>${counted(more.length, "more header")}</summary><pre class="wrap">${more.join("\n")}</pre></details>`}
${body === undefined ? html`<p class="soft">${about.bodyNotRead ? "There was a body, of which nothing was read." : "No body is recorded."}</p>` : html`<pre class="wrap">${prettyJson(body)}</pre>${copyButton(body, "the body")}`}
${about.isTruncated && body !== undefined && html`<p class="soft">This is the beginning of the body, at most 16 KiB.</p>`}`
}
