import { formOf } from "../../console/pages/form.ts"
import type { ConsolePage, Visit } from "../../console/pages/page.ts"
import { fieldsOf } from "../../console/pages/parts/fields.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { confirm } from "../../site/pages/parts/confirm.ts"
import { copyable } from "../../site/pages/parts/copyable.ts"
import { heading } from "../../site/pages/parts/heading.ts"
import { sandbox } from "../contract.ts"
import { recipeQuestion } from "../fault-pages/fault-recipes.ts"
import { faultActions, faultRequest, faultSection } from "../fault-pages/fault-rules.ts"
import { clockActions, clockSection } from "./clock.ts"
import { heldActions, heldSection } from "./held.ts"
import { latestRequests } from "./latest-requests.ts"
import { lookInside, makeFromUpload, namedList, newForm } from "./named-list.ts"
import { resetForm, resetQuestion, resetSection } from "./reset.ts"
import { clockOf, inSandbox } from "./sandbox-home.ts"
import { sandboxOf } from "./sandbox-visit.ts"

const forkForm = formOf({
  action: "fork",
  fields: fieldsOf(sandbox.forkSandbox.body, { name: { label: "Name of the copy" } }),
  async submit(visit, body) {
    const { value } = await (await inSandbox(visit)).forkSandbox({ body })
    return { to: `/sandbox/${value.name}`, notice: `${value.name} is a copy of ${visit.params.name}` }
  },
})

/** A sandbox: what fails in it, its requests and its data; a named one also has a clock and copies. */
const sandboxAt = (path: `/${string}`, show: (visit: Visit) => Promise<Markup>): ConsolePage => ({
  path,
  title: "Sandbox",
  scope: "admin",
  takesFile: true,
  async show(visit) {
    await inSandbox(visit)
    const recipe = visit.query.get("fault")
    return recipe === null ? show(visit) : recipeQuestion(visit, recipe)
  },
  asks: { reset: resetQuestion },
  actions: {
    ...resetForm.actions,
    ...clockActions,
    ...forkForm.actions,
    ...faultActions,
    ...heldActions,
    ...newForm.actions,
    restore: makeFromUpload,
    look: async (visit, form) => ({ response: await sandboxOf(visit).enter(form.get("name") ?? "") }),
    async delete(visit) {
      const { name = "" } = visit.params
      await (await sandboxOf(visit).call()).deleteSandbox({ params: { name } })
      return { to: "/sandbox", notice: `The sandbox ${name} was deleted` }
    },
  },
})

export const sandboxPage = sandboxAt("/sandbox", async (visit) => {
  const { length } = sandboxOf(visit).list()
  return html`<h1>Sandbox</h1>
<div class="doings">${copyable(visit.service.publicUrl(), "the base URL")}
<p class="soft">The service’s own sandbox, which this console shows.</p>
<a href="#named">${length} named sandbox${length === 1 ? "" : "es"}</a>
<a href="${visit.root}/../exam">Examine a client</a></div>
${await heldSection(visit)}
${await faultSection(visit)}
${await latestRequests(visit, "/requests")}
<h2 id="named">Named sandboxes</h2>
${namedList(visit)}
<h2>Reset</h2>
<p>Replaces all data of the service’s own sandbox, also users and sign-ins.</p>
${resetSection(visit)}
${await faultRequest(visit)}`
})

export const namedSandboxPage = sandboxAt("/sandbox/:name", async (visit) => {
  const { name = "" } = visit.params
  const clock = await clockOf(visit)
  return html`${heading(visit, { back: { to: "/sandbox", label: "All sandboxes" }, title: `Sandbox ${name}`, badge: lookInside(visit, name) })}
<div class="doings">${copyable(`${visit.service.publicUrl()}/s/${name}`, "the base URL")}
<p class="soft">What you change here is changed with its well-known key.</p></div>
${await heldSection(visit)}
${clockSection(visit, clock)}
${await faultSection(visit)}
${await latestRequests(visit, `/sandbox/${name}/requests`)}
<p><a href="${visit.root}/sandbox/${name}/diff">What changed since it was made</a></p>
<h2>Copy</h2>
${forkForm.render(visit, { button: "Copy the sandbox", variant: "quiet" })}
<h2>File</h2>
<p class="soft">Everything that a copy has, with its credentials.</p>
<p>${copyable(`petstore sandbox export ${name} > ${name}.petstore`, "the command")}</p>
<h2>Reset</h2>
<p>Replaces all data of this sandbox.</p>
${resetSection(visit)}
${confirm(visit, {
  summary: "Delete this sandbox…",
  warning: "Its data, its requests and its rules go. The next request that names it creates a new one.",
  action: "delete",
  label: `Delete ${name}`,
})}
${await faultRequest(visit)}`
})
