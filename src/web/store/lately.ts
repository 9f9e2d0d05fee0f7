import type { EventKind } from "../../domain/events/contract.ts"
import type { PublishedEvent } from "../../domain/events/store.ts"
import { html, type Markup } from "../html.ts"
import type { ListView } from "./views.ts"

/** What is said of each kind; the page's script says the same of what arrives. `*` stands for the status. */
const words: Partial<Record<EventKind, string>> = {
  "pet.created": "was added",
  "pet.updated": "is now *",
  "pet.deleted": "was removed",
}

export const lately = ({ happened, place }: ListView): Markup => html`
<aside class="lately" aria-labelledby="lately">
<h2 id="lately">Lately</h2>
<p class="soft" data-live>What happens to pets, the latest first.</p>
<ol aria-live="polite" aria-labelledby="lately" data-stream="./store/events?after=${place}" data-words="${JSON.stringify(words)}">${happened.map(read).map(entry)}</ol>
</aside>`

type Happened = { event: EventKind; data: { id: number; name: string; status: string }; timestamp: string }

const read = ({ json }: PublishedEvent): Happened => JSON.parse(json)

/** A pet that was removed has no page any more. */
function entry(
  { event, data: { id, name: called, status }, timestamp }: Happened,
  at: number,
  all: Happened[],
): Markup {
  const said = (words[event] ?? event).replace("*", status)
  const isGone = all.slice(0, at + 1).some((later) => later.event === "pet.deleted" && later.data.id === id)
  const name = isGone ? html`<b>${called}</b>` : html`<a href="./pets/${id}">${called}</a>`
  return html`
<li>${name} ${said} <time datetime="${timestamp}">${timestamp.slice(11, 16)} UTC</time></li>`
}
