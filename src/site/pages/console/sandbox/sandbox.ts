import { sandbox } from "../../../../domain/sandbox/contract.ts"
import type { FaultRule } from "../../../../domain/sandbox/faults/contract.ts"
import { counted } from "../../../../kernel/counted.ts"
import { at, problem } from "../../../../kernel/problem.ts"
import { text } from "../../../../kernel/schema/schema.ts"
import { Type } from "../../../../kernel/schema/type.ts"
import { html, type Markup } from "../../html.ts"
import { actionButton } from "../../parts/action-button.ts"
import { apiRequest } from "../../parts/api-request.ts"
import { confirm } from "../../parts/confirm.ts"
import { copyable } from "../../parts/copyable.ts"
import { fieldsOf } from "../../parts/fields.ts"
import { heading } from "../../parts/heading.ts"
import { formOf } from "../form.ts"
import type { ConsolePage, Visit } from "../page.ts"
import { clockActions, clockSection } from "./clock.ts"
import { lookInside, namedList, newForm } from "./named-list.ts"
import { requestTable } from "./requests.ts"
import { resetForm, resetQuestion, resetSection } from "./reset.ts"
import { inSandbox, sandboxPageOf } from "./sandbox-home.ts"

const requestsShown = 10

const forkForm = formOf({
  action: "fork",
  fields: fieldsOf(sandbox.forkSandbox.body, { name: { label: "Name of the copy" } }),
  async submit(visit, body) {
    const { value } = await (await inSandbox(visit)).forkSandbox({ body })
    return { to: `/sandbox/${value.name}`, notice: `${value.name} is a copy of ${visit.params.name}` }
  },
})

const rulesForm = formOf({
  action: "faults",
  fields: fieldsOf(Type.Object({ rules: Type.Optional(text(0, 60_000)) }), {
    rules: {
      label: "Rules",
      hint: 'As in PUT /sandbox/faults: [{"match": {"operation": "addPet", "share": 0.1}, "fault": "code=503"}]',
    },
  }),
  async submit(visit, { rules }) {
    const { value } = await (await inSandbox(visit)).setFaults({ body: { rules: parseRules(rules) } })
    return { to: sandboxPageOf(visit), notice: `In force: ${counted(value.rules.length, "fault rule")}` }
  },
})

function parseRules(rules = ""): FaultRule[] {
  try {
    return JSON.parse(rules || "[]")
  } catch (error) {
    throw problem("invalid-body", at("/rules", "wrong-form", `must be JSON: ${(error as Error).message}`))
  }
}

/** A sandbox: its data, its fault rules and its requests; a named one also has a clock and copies. */
const sandboxAt = (path: `/${string}`, show: (visit: Visit) => Promise<Markup>): ConsolePage => ({
  path,
  title: "Sandbox",
  scope: "admin",
  isOfSandbox: true,
  show,
  asks: { reset: resetQuestion },
  actions: {
    ...resetForm.actions,
    ...clockActions,
    ...forkForm.actions,
    ...rulesForm.actions,
    ...newForm.actions,
    look: async (_, form) => ({ inside: form.get("name") ?? "" }),
    async clear(visit) {
      const { value } = await (await inSandbox(visit)).deleteFaults()
      return { to: sandboxPageOf(visit), notice: value.message }
    },
    async delete(visit) {
      const { name = "" } = visit.params
      await (await visit.sandbox()).deleteSandbox({ params: { name } })
      return { to: "/sandbox", notice: `The sandbox ${name} was deleted` }
    },
  },
})

export const sandboxPage = sandboxAt(
  "/sandbox",
  async (visit) => html`<h1>Sandbox</h1>
<p class="soft">The service’s own sandbox, which this console shows, and those that tests have named. <a href="${visit.root}/requests">Requests to the API</a></p>
<h2>Named sandboxes</h2>
${namedList(visit)}
<h2>Reset</h2>
<p>Replaces all data of the service’s own sandbox, also users and sign-ins.</p>
${resetSection(visit)}
${await faults(visit)}`,
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
<div class="doings">${lookInside(visit, name)}</div>
${clockSection(visit, clock)}
<div class="heading"><h2>Latest requests</h2><a href="${visit.root}/sandbox/${name}/requests">All requests, live</a></div>
${requestTable(visit, requests, `/sandbox/${name}/requests`)}
<h2>Copy</h2>
${forkForm.render(visit, { button: "Copy the sandbox" })}
<h2>Reset</h2>
<p>Replaces all data of this sandbox.</p>
${resetSection(visit)}
${await faults(visit)}
${confirm(visit, {
  summary: "Delete this sandbox…",
  warning: "Its data, its requests and its rules go. The next request that names it creates a new one.",
  action: "delete",
  label: `Delete ${name}`,
})}`
})

async function faults(visit: Visit): Promise<Markup> {
  const called = await (await inSandbox(visit)).getFaults()
  const rules = called.value.rules.map(({ count, ...rule }) => ({ count, json: JSON.stringify(rule) }))
  return html`<h2>Faults</h2>
${rules.length > 0 && rulesInForce(visit, rules)}
${rulesForm.render(visit, { button: "Set the rules", values: { rules: rules.length > 0 ? `[\n${rules.map(({ json }) => json).join(",\n")}\n]` : "" } })}
${apiRequest(visit, called)}`
}

const rulesInForce = (visit: Visit, rules: readonly { count: number; json: string }[]): Markup => html`<ol>
${rules.map(({ count, json }) => html`<li><code>${json}</code> <span class="soft">affected ${count}</span></li>`)}
</ol>
<div class="doings">${actionButton(visit, { action: "clear", label: "End all rules", variant: "quiet small" })}</div>`
