import type { RecordedRequest } from "../../../../domain/sandbox/requests/contract.ts"
import { sandboxPath } from "../../../../kernel/network/path.ts"
import { Problem } from "../../../../kernel/problem.ts"
import { html, type Markup } from "../../html.ts"
import { copyButton } from "../../parts/copyable.ts"
import { heading } from "../../parts/heading.ts"
import { timeTag } from "../../parts/time.ts"
import type { ConsolePage, Visit } from "../page.ts"
import { statusBadge } from "./requests.ts"

const requestAt = (path: `/${string}`): ConsolePage => ({
  path,
  title: "Request",
  scope: "admin",
  isOfSandbox: true,
  async show(visit) {
    const one = await find(visit)
    const back = { to: visit.path.replace(/\/\d+$/, ""), label: "All requests" }
    return html`${heading(visit, { back, title: `${one.method} ${one.path}`, badge: statusBadge(one.status) })}
<div class="doings">${copyButton(curlOf(visit, one), "", "Copy as curl")}</div>
<dl class="facts">${facts(one).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${message("Request", one.request)}
${message("Response", one.response)}`
  },
})

export const requestPage = requestAt("/requests/:requestId")
export const namedRequestPage = requestAt("/sandbox/:name/requests/:requestId")

async function find(visit: Visit) {
  const id = Number(visit.params.requestId)
  const { getRequest } = await visit.sandbox(visit.params.name)
  if (!Number.isSafeInteger(id) || id < 1) throw new Problem("request-not-found", "A recorded request has a number")
  return (await getRequest({ params: { id } })).value
}

/** Headers that belong to the connection, or that curl sends itself. */
const notRepeated =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|user-agent|sec-.*|petstore-sandbox)$/

/** The recorded request, with the reader's key in the variable of the command line: credentials are not recorded. */
function curlOf(
  { service, params: { name } }: Visit,
  { method, path, request: { headers, body } }: RecordedRequest,
): string {
  const base = service.publicUrl() + (name === undefined ? "" : sandboxPath(name))
  const sent = Object.entries(headers).filter(([header]) => !notRepeated.test(header))
  const isCredential = (header: string) => header === "api_key" || header === "authorization"
  const hasCredential = sent.some(([header]) => isCredential(header))
  return [
    `curl -X ${method} ${quoted(base + path)}`,
    ...(hasCredential ? ['-H "api_key: $PETSTORE_KEY"'] : []),
    ...sent.filter(([header]) => !isCredential(header)).map(([header, value]) => `-H ${quoted(`${header}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(" ")
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const facts = ({ time, durationMs, operation, caller, problem, fault, webhook }: RecordedRequest) =>
  Object.entries({
    Time: timeTag(time),
    Took: `${durationMs} ms`,
    Operation: operation,
    Credential: caller,
    Problem: problem,
    Fault: fault,
    Webhook: webhook,
  }).filter((fact): fact is [string, Markup | string | number] => fact[1] !== undefined)

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
