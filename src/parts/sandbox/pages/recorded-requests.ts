import type { Visit } from "../../console/pages/page.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { requestTable } from "./requests.ts"
import { sandboxOf } from "./sandbox-visit.ts"

/** The forms that ids of requests have. */
const requestId = /^[\w.:+/=@-]{1,128}$/

/** The recorded request with this id, which a problem has as `requestId`. */
export async function findRecordedRequest(visit: Visit, text: string): Promise<Markup | undefined> {
  if (!requestId.test(text) || !visit.mayGo("/requests")) return undefined
  const { listRequests } = await sandboxOf(visit).call()
  const { value } = await listRequests({ query: { requestId: text, limit: 1 } })
  return value.length === 0 ? undefined : html`<h2>Requests</h2>${await requestTable(visit, value, "/requests")}`
}
