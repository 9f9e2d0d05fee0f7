import { api } from "../../../core/domain/api.ts"
import { basePath } from "../../../core/kernel/network/path.ts"
import { listPage } from "../../console/pages/list-page.ts"
import type { Visit } from "../../console/pages/page.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { withZone } from "../../site/pages/parts/form-values.ts"
import { asChoices, type Control } from "../../site/pages/parts/search-form.ts"
import { type Column, table } from "../../site/pages/parts/table.ts"
import { timeAgo, timeTag } from "../../site/pages/parts/time.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import { foldedAttempts } from "./attempts.ts"
import { clockOf, consoleOf, homeOf, inSandbox } from "./sandbox-home.ts"

const operations = Object.keys(api).toSorted()

/** The filters of the operation. */
const controls: readonly Control[] = [
  { kind: "choice", name: "method", label: "Method", choices: asChoices(["GET", "POST", "PUT", "PATCH", "DELETE"]) },
  { kind: "text", name: "operation", label: "Operation", maxLength: 64, suggestions: operations },
  { kind: "text", name: "status", label: "Status", maxLength: 3, suggestions: ["2xx", "4xx", "5xx"] },
  { kind: "text", name: "path", label: "Path", example: "/pet/*", maxLength: 2048 },
  { kind: "text", name: "key", label: "Key id", maxLength: 16 },
  { kind: "text", name: "header", label: "Header", example: "name or name: value", maxLength: 1024, isFurther: true },
  { kind: "text", name: "text", label: "Text of the body", maxLength: 1024, isFurther: true },
  { kind: "time", name: "since", label: "Since (UTC)", isFurther: true },
  { kind: "text", name: "requestId", label: "Request id", maxLength: 128, isFurther: true },
]

/** The requests to a sandbox, live; below `/sandbox/:name` those to a named one. */
const requestsAt = (path: `/${string}`) =>
  listPage<RecordedRequest>({
    path,
    title: "Requests",
    scope: "admin",
    heading: (visit) => ({ ...homeOf(visit), badge: html`<p class="live" role="status" hidden></p>` }),
    intro: () =>
      html`<p class="soft">The last requests to the API of this sandbox, with headers, bodies and responses. Credentials are not shown.</p>`,
    controls,
    find: async (visit, { since, ...query }) =>
      (await inSandbox(visit)).listRequests({
        query: { ...query, ...(since !== undefined && { since: withZone(String(since)) }), group: "attempts" },
      }),
    show: async (visit, rows) =>
      html`<div${!visit.query.has("cursor") && html` data-live="${visit.root}${visit.path}/stream"`}>
${await requestTable(visit, rows, visit.path)}
</div>`,
  })

export const requestsPage = requestsAt("/requests")
export const namedRequestsPage = requestsAt("/sandbox/:name/requests")

/** The most keys whose names are shown. */
const keysMax = 100

/** A table whose rows link to pages below `base`. */
export async function requestTable(visit: Visit, rows: readonly RecordedRequest[], base: string): Promise<Markup> {
  const { listKeys } = await inSandbox(visit)
  const [clock, { value: keys }] = await Promise.all([clockOf(visit), listKeys({ query: { limit: keysMax } })])
  const clocked = { ...visit, aheadMs: clock.aheadSeconds * 1000 }
  const names = new Map(
    keys.map(({ id, name }) => [`key ${id}`, html`<a href="${consoleOf(visit)}/keys/${id}">${name}</a>`]),
  )
  return table({
    caption: "Requests, newest first",
    columns: columns(`${visit.root}${base}`, {
      age: (time) => (clock.frozen ? timeTag(time) : timeAgo(clocked, time)),
      credential: (caller = "") => names.get(caller) ?? caller,
    }),
    rows,
    empty: isFiltered(visit)
      ? html`No requests match. <a href="${visit.root}${base}">Clear the filters</a>`
      : html`No requests yet. Send one: <code>curl -H 'api_key: special-key' ${visit.service.publicUrl()}${visit.params.name === undefined ? "" : `/s/${visit.params.name}`}${basePath}/pet/1</code>`,
    keyOf: ({ id }) => String(id),
  })
}

const isFiltered = ({ query }: Visit): boolean => controls.some(({ name }) => query.get(name))

type Words = { age(time: string): Markup | string; credential(caller?: string): Markup | string }

const columns = (base: string, { age, credential }: Words): Column<RecordedRequest>[] => [
  {
    title: "Request",
    kind: "text",
    isHead: true,
    cell: (one) =>
      html`<span class="clamp"><a href="${base}/${one.id}">${one.method} ${one.path.replace(basePath, "")}</a></span>${foldedAttempts(one, base)}`,
  },
  { title: "Status", kind: "badge", cell: ({ status }) => statusBadge(status) },
  { title: "Time", kind: "time", cell: ({ time }) => age(time) },
  { title: "Took", kind: "number", cell: ({ durationMs }) => `${durationMs} ms` },
  { title: "Credential", kind: "text", cell: ({ caller }) => credential(caller) },
  { title: "Reason", kind: "code", cell: ({ fault, problem }) => outcome(problem ?? fault) },
]

export function statusBadge(status: number | undefined): Markup {
  const kind = status === undefined || status >= 500 ? "bad" : status >= 400 ? "waiting" : "good"
  return html`<span class="badge ${kind}">${status ?? "no response"}</span>`
}

const outcome = (text: string | undefined): Markup | string => (text === undefined ? "" : html`<code>${text}</code>`)
