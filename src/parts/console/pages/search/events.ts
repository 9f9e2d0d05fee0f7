import { html, type Markup } from "../../../site/pages/html.ts"
import { eventTable } from "../events/event-table.ts"
import type { Visit } from "../page.ts"

/** The newest events that are searched: an id alone is not indexed for an account. */
const searchedMax = 1000

/** Events by the beginning of their id. */
export async function findEvents(visit: Visit, text: string): Promise<Markup | undefined> {
  if (!text.startsWith("evt_") || !visit.mayGo("/events")) return undefined
  const { value } = await visit.call.listEvents({ query: { sort: "-id", limit: searchedMax } })
  const found = value.filter(({ id }) => id.startsWith(text)).slice(0, 10)
  return found.length === 0 ? undefined : html`<h2>Events</h2>${eventTable(visit, found, "")}`
}
