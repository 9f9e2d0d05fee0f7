import type { EventKind } from "../../core/domain/events/contract.ts"
import type { PublishedEvent } from "../../core/domain/events/store.ts"
import { html, type Markup } from "../site/pages/html.ts"
import type { ListView } from "./views.ts"

/** Texts of event kinds, also used by the page's script. `*` is replaced by the status. */
const descriptions: Partial<Record<EventKind, string>> = {
  "pet.created": "was added",
  "pet.updated": "is now *",
  "pet.deleted": "was removed",
}

export const recentActivity = ({ recentEvents, resumeAfter }: ListView): Markup => html`
<aside class="activity" aria-labelledby="activity">
<h2 id="activity" data-live>Recent activity</h2>
<a class="arrivals" href="./" hidden></a>
<ol aria-live="polite" aria-labelledby="activity" data-stream="./store/events?after=${resumeAfter}" data-words="${JSON.stringify(descriptions)}">${recentEvents.map(read).map(entry)}</ol>
</aside>`

type StoreEvent = { event: EventKind; data: { id: number; name: string; status: string }; timestamp: string }

const read = ({ json }: PublishedEvent): StoreEvent => JSON.parse(json)

/** A deleted pet has no page to link to. */
function entry(
  { event, data: { id, name: petName, status }, timestamp }: StoreEvent,
  at: number,
  all: StoreEvent[],
): Markup {
  const action = (descriptions[event] ?? event).replace("*", status)
  const isGone = all.slice(0, at + 1).some((later) => later.event === "pet.deleted" && later.data.id === id)
  const name = isGone
    ? html`<b title="${petName}">${petName}</b>`
    : html`<a title="${petName}" href="./pets/${id}">${petName}</a>`
  return html`
<li>${name} ${action} <time datetime="${timestamp}">${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC</time></li>`
}
