import { eventKinds } from "../../../domain/events/contract.ts"
import { html } from "../../html.ts"
import { asChoices } from "../../parts/search-form.ts"
import { type ListQuery, listPage } from "../list-page.ts"
import type { Visit } from "../page.ts"
import { eventTable } from "./event-table.ts"

/** Behind how many events those of one kind are looked for: no index holds the kinds. */
const lookedAt = 1000

export const eventsPage = listPage({
  path: "/events",
  title: "Events",
  scope: "manage:webhooks",
  heading: () => ({ badge: html`<p class="live" role="status" hidden></p>` }),
  intro: () => html`<p class="soft">What webhooks are sent, kept for 30 days unless the operator chose otherwise.</p>`,
  controls: [{ kind: "choice", name: "kind", label: "Kind", choices: asChoices(Object.keys(eventKinds)) }],
  button: "Show",
  find,
  show: (visit, rows, next) => html`<div${!visit.query.has("cursor") && html` data-live="${visit.root}/events/stream"`}>
${eventTable(visit, rows, nothing(visit, next))}
</div>
`,
})

async function find({ call }: Visit, { kind, cursor, limit }: ListQuery) {
  const most = Number(limit)
  const asked = kind ? lookedAt : most + 1
  const after = cursor === undefined ? {} : { after: String(cursor) }
  const { value } = await call.listEvents({ query: { sort: "-id", limit: asked, ...after } })
  const fitting = value.filter(({ event }) => !kind || event === kind)
  const rows = fitting.slice(0, most)
  const last = fitting.length > most ? rows.at(-1) : value.length === asked ? value.at(-1) : undefined
  return { value: rows, next: last?.id }
}

const nothing = ({ root, query }: Visit, next: string | undefined) =>
  query.get("kind")
    ? `There is none of this kind${next === undefined ? "" : ` among ${lookedAt} events: the next page has those before`}.`
    : html`Nothing has happened yet. <a href="${root}/pets/new">Add a pet</a>, and it is told here.`
