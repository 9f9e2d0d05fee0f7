import { type EventKind, eventKinds } from "../../../core/domain/events/contract.ts"
import type { Visit } from "../../console/pages/page.ts"
import { deliveriesOf } from "../../console/pages/webhooks/deliveries-of-events.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { type Column, table } from "../../site/pages/parts/table.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import { isSafe } from "./recorded.ts"
import { consoleOf, inSandbox } from "./sandbox-home.ts"

const eventsSearched = 200

/**
 * The events of a request, and their deliveries. An event does not name its request: without an explanation, the events are those
 * between its arrival and its response.
 */
export async function aftermath(visit: Visit, one: RecordedRequest): Promise<Markup | undefined> {
  if (isSafe(one.method) || one.webhook !== undefined) return undefined
  const [call, root] = [await inSandbox(visit), consoleOf(visit)]
  const from = Date.parse(one.time)
  const written = one.explanation && new Set(one.explanation.events.map(({ id }) => id))
  const { value } = await call.listEvents({ query: { sort: "-id", limit: eventsSearched } })
  const events = value.filter(({ id, timestamp }) => {
    if (written) return written.has(id)
    const at = Date.parse(timestamp)
    // Both are rounded, the time down to a millisecond: the response may have been one later than their sum.
    return at >= from && at <= from + Math.floor(one.durationMs) + 1
  })
  const ids = new Set(events.map(({ id }) => id))
  const [title, about] = written
    ? ["Events", "Those that the request wrote."]
    : [
        "Events meanwhile",
        "Between the arrival of the request and its response, also those of other requests at that time.",
      ]
  return html`<h2>${title}</h2>
<p class="soft">${about}</p>
${table({ caption: title, columns, rows: events, empty: "There were none." })}
<h2>Their deliveries</h2>
${await deliveriesOf({ ...visit, call, root }, ids)}`
}

type Shown = { id: string; event: EventKind }

/** Without the names of pets: a recorded request shows no secret, and a client may put one anywhere. */
const columns: readonly Column<Shown>[] = [
  { title: "Event", kind: "text", isHead: true, cell: ({ event }) => eventKinds[event].summary },
  { title: "Kind", kind: "code", cell: ({ event }) => html`<code>${event}</code>` },
  { title: "Id", kind: "code", cell: ({ id }) => html`<code>${id}</code>` },
]
