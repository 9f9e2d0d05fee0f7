import { eventKinds } from "../../../../core/domain/events/contract.ts"
import type { Event } from "../../../../core/domain/events/store.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { table } from "../../../site/pages/parts/table.ts"
import { timeAgo } from "../../../site/pages/parts/time.ts"
import type { Visit } from "../page.ts"
import { linkTo } from "../parts/link-to.ts"

type Shown = { id: string; event: Event["event"]; data: object; timestamp: string }
type Data = { id?: number; name?: string; url?: string; webhookId?: number }

export const eventTable = (visit: Visit, rows: readonly Shown[], empty: Markup | string): Markup =>
  table({
    caption: "Events, newest first",
    columns: [
      {
        title: "When",
        kind: "time",
        cell: ({ timestamp }) => html`<span class="event">${timeAgo(visit, timestamp)}</span>`,
      },
      { title: "Event", kind: "text", cell: ({ event }) => eventKinds[event].summary },
      { title: "Subject", kind: "name", cell: ({ event, data }) => thingOf(visit, event, data) },
      { title: "Kind", kind: "code", cell: ({ event }) => html`<code>${event}</code>` },
      { title: "Id", kind: "code", cell: ({ id }) => html`<code>${id}</code>` },
    ],
    rows,
    empty,
    keyOf: ({ id }) => id,
  })

function thingOf(visit: Visit, kind: Event["event"], { id, name, url, webhookId }: Data): Markup | string {
  const [noun] = kind.split(".")
  if (kind === "pet.deleted") return name ?? ""
  if (noun === "pet") return linkTo(visit, `/pets/${id}`, name ?? "")
  if (noun === "order") return linkTo(visit, `/orders/${id}`, `Order ${id}`)
  return linkTo(visit, `/webhooks/${id ?? webhookId}`, url ?? `Webhook ${webhookId}`)
}
