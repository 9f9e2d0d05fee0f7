import { api } from "../../../core/domain/api.ts"
import { basePath } from "../../../core/kernel/network/path.ts"
import { listPage } from "../../console/pages/list-page.ts"
import type { Visit } from "../../console/pages/page.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { type Column, table } from "../../site/pages/parts/table.ts"
import { timeTag } from "../../site/pages/parts/time.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import { foldedAttempts } from "./attempts.ts"
import { homeOf, inSandbox } from "./sandbox-home.ts"

const operations = Object.keys(api).toSorted()
const statusClasses = { "2xx": "2xx success", "4xx": "4xx refused", "5xx": "5xx failed" }

/** The requests to a sandbox, live; below `/sandbox/:name` those to a named one. */
const requestsAt = (path: `/${string}`) =>
  listPage<RecordedRequest>({
    path,
    title: "Requests",
    scope: "admin",
    heading: (visit) => ({ ...homeOf(visit), badge: html`<p class="live" role="status" hidden></p>` }),
    intro: () =>
      html`<p class="soft">The last requests to the API of this sandbox, with headers, bodies and responses. Credentials are not shown.</p>`,
    controls: [
      { kind: "text", name: "operation", label: "Operation", maxLength: 64, suggestions: operations },
      { kind: "text", name: "requestId", label: "Request id", maxLength: 128 },
      { kind: "choice", name: "status", label: "Status", choices: statusClasses, none: "Any" },
    ],
    find: async (visit, query) => (await inSandbox(visit)).listRequests({ query: { ...query, group: "attempts" } }),
    show: (visit, rows) =>
      html`<div${!visit.query.has("cursor") && html` data-live="${visit.root}${visit.path}/stream"`}>
${requestTable(visit, rows, visit.path)}
</div>`,
  })

export const requestsPage = requestsAt("/requests")
export const namedRequestsPage = requestsAt("/sandbox/:name/requests")

/** A table whose rows link to pages below `base`. */
export const requestTable = (visit: Visit, rows: readonly RecordedRequest[], base: string): Markup =>
  table({
    caption: "Requests, newest first",
    columns: columns(`${visit.root}${base}`),
    rows,
    empty: isFiltered(visit)
      ? html`No requests match. <a href="${visit.root}${base}">Clear the filters</a>`
      : html`No requests yet. Send one: <code>curl -H 'api_key: special-key' ${visit.service.publicUrl()}${visit.params.name === undefined ? "" : `/s/${visit.params.name}`}${basePath}/pet/1</code>`,
    keyOf: ({ id }) => String(id),
  })

const isFiltered = ({ query }: Visit): boolean => ["operation", "requestId", "status"].some((name) => query.get(name))

const columns = (base: string): Column<RecordedRequest>[] => [
  {
    title: "Request",
    kind: "text",
    isHead: true,
    cell: (one) =>
      html`<span class="clamp"><a href="${base}/${one.id}">${one.method} ${one.path.replace(basePath, "")}</a></span>${foldedAttempts(one, base)}`,
  },
  { title: "Status", kind: "badge", cell: ({ status }) => statusBadge(status) },
  { title: "Time", kind: "time", cell: ({ time }) => timeTag(time) },
  { title: "Took", kind: "number", cell: ({ durationMs }) => `${durationMs} ms` },
  { title: "Credential", kind: "id", cell: ({ caller = "" }) => caller },
  { title: "Reason", kind: "code", cell: ({ fault, problem }) => outcome(problem ?? fault) },
]

export function statusBadge(status: number | undefined): Markup {
  const kind = status === undefined || status >= 500 ? "bad" : status >= 400 ? "waiting" : "good"
  return html`<span class="badge ${kind}">${status ?? "no response"}</span>`
}

const outcome = (text: string | undefined): Markup | string => (text === undefined ? "" : html`<code>${text}</code>`)
