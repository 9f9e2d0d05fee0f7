import { type EventKind, eventKinds } from "../../../../domain/events/contract.ts"
import type { RecordedRequest } from "../../../../domain/sandbox/requests/contract.ts"
import { html, type Markup } from "../../html.ts"
import { type Column, table } from "../../parts/table.ts"
import type { Visit } from "../page.ts"
import { deliveriesOf } from "../webhooks/deliveries-of-events.ts"
import { isSafe } from "./recorded.ts"
import { consoleOf, inSandbox } from "./sandbox-home.ts"

const eventsSearched = 200

/** The events between the arrival of a request and its response, and their deliveries: an event does not name its request. */
export async function aftermath(visit: Visit, one: RecordedRequest): Promise<Markup | undefined> {
  if (isSafe(one.method) || one.webhook !== undefined) return undefined
  const [call, root] = [await inSandbox(visit), consoleOf(visit)]
  const from = Date.parse(one.time)
  const { value } = await call.listEvents({ query: { sort: "-id", limit: eventsSearched } })
  const events = value.filter(({ timestamp }) => {
    const at = Date.parse(timestamp)
    return at >= from && at <= from + Math.ceil(one.durationMs)
  })
  const ids = new Set(events.map(({ id }) => id))
  return html`<h2>Events meanwhile</h2>
<p class="soft">Between the arrival of the request and its response, also those of other requests at that time.</p>
${table({ caption: "Events meanwhile", columns, rows: events, empty: "There were none." })}
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
