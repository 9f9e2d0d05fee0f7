import { type EventKind, eventKinds } from "../../domain/events/contract.ts"
import { html } from "../html.ts"
import { pager } from "../parts/pager.ts"
import { asChoices, searchForm } from "../parts/search-form.ts"
import { eventTable } from "./event-table.ts"
import { showFound } from "./find.ts"
import type { ConsolePage, Visit } from "./page.ts"

/** Behind how many events those of one kind are looked for: no index holds the kinds. */
const lookedAt = 1000

/** What happens to pets and orders, as it happens. */
export const eventsPage: ConsolePage = {
  path: "/events",
  title: "Events",
  nav: "Events",
  scope: "manage:webhooks",
  async show(visit) {
    const { query, root } = visit
    const kind = query.get("kind")
    const list = await showFound(
      query,
      [],
      (asked) => find(visit, kind, asked),
      ({ value, next }) => html`<div${!query.has("cursor") && html` data-live="${root}/events/stream"`}>
${eventTable(visit, value, nothing(visit, kind, next))}
</div>
${pager(visit, next)}`,
    )
    return html`<div class="heading"><h1>Events</h1><p class="live" role="status" hidden></p></div>
<p class="soft">What webhooks are sent, kept for 30 days unless the operator chose otherwise.</p>
${searchForm(visit, controls, "Show")}
${list}`
  },
}

const controls = [
  { kind: "choice", name: "kind", label: "Kind", choices: asChoices(Object.keys(eventKinds) as EventKind[]) },
] as const

async function find({ call }: Visit, kind: string | null, { cursor, limit }: Record<string, string | number>) {
  const most = Number(limit)
  const asked = kind ? lookedAt : most + 1
  const after = cursor === undefined ? {} : { after: String(cursor) }
  const { value } = await call.listEvents({ query: { sort: "-id", limit: asked, ...after } })
  const fitting = value.filter(({ event }) => !kind || event === kind)
  const rows = fitting.slice(0, most)
  const last = fitting.length > most ? rows.at(-1) : value.length === asked ? value.at(-1) : undefined
  return { value: rows, next: last?.id }
}

const nothing = ({ root }: Visit, kind: string | null, next: string | undefined) =>
  kind
    ? `There is none of this kind${next === undefined ? "" : ` among ${lookedAt} events: the next page has those before`}.`
    : html`Nothing has happened yet. <a href="${root}/pets/new">Add a pet</a>, and it is told here.`
