import type { RecordedRequest } from "../../../../domain/sandbox/requests/contract.ts"
import { Problem } from "../../../../kernel/problem.ts"
import { html, type Markup } from "../../html.ts"
import { apiRequest } from "../../parts/api-request.ts"
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
    const { one, request } = await find(visit)
    const back = { to: visit.path.replace(/\/\d+$/, ""), label: "All requests" }
    return html`${heading(visit, { back, title: `${one.method} ${one.path}`, badge: statusBadge(one.status) })}
<dl class="facts">${facts(one).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${message("Request", one.request)}
${message("Response", one.response)}
${apiRequest(visit, { request })}`
  },
})

export const requestPage = requestAt("/requests/:requestId")
export const namedRequestPage = requestAt("/sandbox/:name/requests/:requestId")

async function find(visit: Visit) {
  const id = Number(visit.params.requestId)
  const { getRequest } = await visit.sandbox(visit.params.name)
  if (!Number.isSafeInteger(id) || id < 1) throw new Problem("request-not-found", "A recorded request has a number")
  const { value: one, request } = await getRequest({ params: { id } })
  return { one, request }
}

const facts = ({ time, durationMs, operation, caller, problem, fault, webhook }: RecordedRequest) =>
  Object.entries({
    Time: timeTag(time),
    Took: `${durationMs} ms`,
    Operation: operation,
    Credential: caller,
    Problem: problem,
    "Fault on purpose": fault,
    Webhook: webhook,
  }).filter((fact): fact is [string, Markup | string | number] => fact[1] !== undefined)

function message(title: string, { headers, body, isTruncated }: RecordedRequest["request"]): Markup {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return html`<h2>${title}</h2>
<pre class="wrap">${lines.join("\n") || "No headers"}</pre>
${body === undefined ? html`<p class="soft">No body is recorded.</p>` : html`<pre class="wrap">${pretty(body)}</pre>${copyButton(body, "the body")}`}
${isTruncated && html`<p class="soft">These are the first 16 KiB of the body.</p>`}`
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
