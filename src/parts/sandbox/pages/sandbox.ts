import { formOf } from "../../console/pages/form.ts"
import type { ConsolePage, Visit } from "../../console/pages/page.ts"
import { fieldsOf } from "../../console/pages/parts/fields.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { confirm } from "../../site/pages/parts/confirm.ts"
import { copyable } from "../../site/pages/parts/copyable.ts"
import { heading } from "../../site/pages/parts/heading.ts"
import { sandbox } from "../contract.ts"
import { clockActions, clockSection } from "./clock.ts"
import { faultActions, faultSection } from "./fault-rules.ts"
import { heldActions, heldSection } from "./held.ts"
import { lookInside, namedList, newForm } from "./named-list.ts"
import { requestTable } from "./requests.ts"
import { resetForm, resetQuestion, resetSection } from "./reset.ts"
import { inSandbox } from "./sandbox-home.ts"
import { sandboxOf } from "./sandbox-visit.ts"

const requestsShown = 10

const forkForm = formOf({
  action: "fork",
  fields: fieldsOf(sandbox.forkSandbox.body, { name: { label: "Name of the copy" } }),
  async submit(visit, body) {
    const { value } = await (await inSandbox(visit)).forkSandbox({ body })
    return { to: `/sandbox/${value.name}`, notice: `${value.name} is a copy of ${visit.params.name}` }
  },
})

/** A sandbox: its data, its fault rules and its requests; a named one also has a clock and copies. */
const sandboxAt = (path: `/${string}`, show: (visit: Visit) => Promise<Markup>): ConsolePage => ({
  path,
  title: "Sandbox",
  scope: "admin",
  show,
  asks: { reset: resetQuestion },
  actions: {
    ...resetForm.actions,
    ...clockActions,
    ...forkForm.actions,
    ...faultActions,
    ...heldActions,
    ...newForm.actions,
    look: async (visit, form) => ({ response: await sandboxOf(visit).enter(form.get("name") ?? "") }),
    async delete(visit) {
      const { name = "" } = visit.params
      await (await sandboxOf(visit).call()).deleteSandbox({ params: { name } })
      return { to: "/sandbox", notice: `The sandbox ${name} was deleted` }
    },
  },
})

export const sandboxPage = sandboxAt(
  "/sandbox",
  async (visit) => html`<h1>Sandbox</h1>
<p class="soft">The service’s own sandbox, which this console shows, and those that tests have named. <a href="${visit.root}/requests">Requests to the API</a></p>
${await heldSection(visit)}
<h2>Named sandboxes</h2>
${namedList(visit)}
<h2>Reset</h2>
<p>Replaces all data of the service’s own sandbox, also users and sign-ins.</p>
${resetSection(visit)}
${await faultSection(visit)}`,
)

export const namedSandboxPage = sandboxAt("/sandbox/:name", async (visit) => {
  const { name = "" } = visit.params
  const call = await inSandbox(visit)
  const [{ value: clock }, { value: requests }] = await Promise.all([
    call.getClock(),
    call.listRequests({ query: { limit: requestsShown } }),
  ])
  return html`${heading(visit, { back: { to: "/sandbox", label: "All sandboxes" }, title: `Sandbox ${name}` })}
<p>${copyable(`${visit.service.publicUrl()}/s/${name}`, "the base URL")}</p>
<p class="soft">What you change here is changed with the well-known key of this sandbox.</p>
<div class="doings">${lookInside(visit, name)}</div>
${await heldSection(visit)}
${clockSection(visit, clock)}
<div class="heading"><h2>Latest requests</h2><a href="${visit.root}/sandbox/${name}/requests">All requests, live</a></div>
${requestTable(visit, requests, `/sandbox/${name}/requests`)}
<p><a href="${visit.root}/sandbox/${name}/diff">What changed since it was made</a></p>
<h2>Copy</h2>
${forkForm.render(visit, { button: "Copy the sandbox" })}
<h2>Reset</h2>
<p>Replaces all data of this sandbox.</p>
${resetSection(visit)}
${await faultSection(visit)}
${confirm(visit, {
  summary: "Delete this sandbox…",
  warning: "Its data, its requests and its rules go. The next request that names it creates a new one.",
  action: "delete",
  label: `Delete ${name}`,
})}`
})
