import type { Visit } from "../../console/pages/page.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { requestTable } from "./requests.ts"
import { inSandbox } from "./sandbox-home.ts"

const shown = 5

/** The newest requests to the sandbox of a page, whose list is at `path`. */
export async function latestRequests(visit: Visit, path: string): Promise<Markup> {
  const { value } = await (await inSandbox(visit)).listRequests({ query: { limit: shown, group: "attempts" } })
  return html`<div class="heading"><h2>Latest requests</h2><a href="${visit.root}${path}">All requests, live</a></div>
${await requestTable(visit, value, path)}`
}
