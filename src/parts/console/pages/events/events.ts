import { eventKinds } from "../../../../core/domain/events/contract.ts"
import { pageBytesMax } from "../../../../core/kernel/endpoint/page.ts"
import { html } from "../../../site/pages/html.ts"
import { asChoices } from "../../../site/pages/parts/search-form.ts"
import { type ListQuery, listPage } from "../list-page.ts"
import type { Visit } from "../page.ts"
import { eventTable } from "./event-table.ts"
import { isAboutPet } from "./pet-of-event.ts"

/** Events that are read to find those of one kind or pet, which are not indexed. */
const scannedMax = 1000

export const eventsPage = listPage({
  path: "/events",
  title: "Events",
  scope: "manage:webhooks",
  heading: () => ({ badge: html`<p class="live" role="status" hidden></p>` }),
  intro: () => html`<p class="soft">Webhooks receive these events. They are kept for 30 days by default.</p>`,
  controls: [
    { kind: "choice", name: "kind", label: "Kind", choices: asChoices(Object.keys(eventKinds)) },
    { kind: "text", name: "petId", label: "Id of the pet", maxLength: 16 },
  ],
  find,
  show: (visit, rows, next) => html`<div${!visit.query.has("cursor") && html` data-live="${visit.root}/events/stream"`}>
${eventTable(visit, rows, noEvents(visit, next))}
</div>
`,
})

async function find({ call }: Visit, { kind, petId, cursor, limit }: ListQuery) {
  const shownMax = Number(limit)
  const readMax = kind || petId ? scannedMax : shownMax + 1
  const after = cursor === undefined ? {} : { after: String(cursor) }
  const { value, request } = await call.listEvents({ query: { sort: "-id", limit: readMax, ...after } })
  const matching = value.filter((each) => (!kind || each.event === kind) && (!petId || isAboutPet(each, Number(petId))))
  const rows = matching.slice(0, shownMax)
  const last = matching.length > shownMax ? rows.at(-1) : mayContinue(value, readMax) ? value.at(-1) : undefined
  return { value: rows, next: last?.id, request }
}

/** A list of long events ends early. */
const mayContinue = (events: readonly object[], readMax: number): boolean =>
  events.length === readMax || JSON.stringify(events).length > pageBytesMax / 2

const noEvents = ({ root, query }: Visit, next: string | undefined) =>
  query.get("kind") || query.get("petId")
    ? `No events match${next === undefined ? "" : ` among these ${scannedMax} events: go to the next page for earlier ones`}.`
    : html`There are no events yet. <a href="${root}/pets/new">Add a pet</a> to create one.`
