import { sandbox } from "../../../../domain/sandbox/contract.ts"
import type { FaultRule } from "../../../../domain/sandbox/faults/contract.ts"
import type { ResponseOf } from "../../../../kernel/endpoint/endpoint.ts"
import { at, problem } from "../../../../kernel/problem.ts"
import { text } from "../../../../kernel/schema/schema.ts"
import { Type } from "../../../../kernel/schema/type.ts"
import { html, type Markup } from "../../html.ts"
import { actionButton } from "../../parts/action-button.ts"
import { apiRequest } from "../../parts/api-request.ts"
import { copyable } from "../../parts/copyable.ts"
import { fieldsOf } from "../../parts/fields.ts"
import { heading } from "../../parts/heading.ts"
import { table } from "../../parts/table.ts"
import { inWords, timeTag } from "../../parts/time.ts"
import { formOf } from "../form.ts"
import type { ConsolePage, Visit } from "../page.ts"
import { requestTable } from "./requests.ts"

const requestsShown = 10

const inSandbox = (visit: Visit) => visit.sandbox(visit.params.name)
const here = ({ params: { name } }: Visit) => (name === undefined ? "/sandbox" : `/sandbox/${name}`) as `/${string}`

const resetForm = formOf({
  action: "reset",
  fields: fieldsOf(sandbox.resetSandbox.query, {
    seed: {
      label: "Data",
      choices: { classic: "Ten classic pets", empty: "No pets", shelter: "300 animals of a shelter" },
    },
    from: { hidden: "a copy is made on the page of its source" },
  }),
  async submit(visit, query) {
    const { value } = await (await inSandbox(visit)).resetSandbox({ query })
    return { to: here(visit), notice: value.message }
  },
})

const advanceForm = formOf({
  action: "advance",
  fields: fieldsOf(Type.Object({ advance: text(1, 40) }), {
    advance: { label: "Advance by", hint: "An ISO 8601 duration: P1D is a day, PT90M are 90 minutes." },
  }),
  async submit(visit, body) {
    const { value } = await (await inSandbox(visit)).advanceClock({ body })
    const { time, deliveriesAttempted, keysExpired, ordersCancelled } = value
    const done = `${deliveriesAttempted} deliveries attempted, ${keysExpired} keys expired, ${ordersCancelled} orders cancelled`
    return { to: here(visit), notice: `The time is ${time}: ${done}` }
  },
})

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
    return { to: here(visit), notice: `${value.rules.length} fault rules are in force` }
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
  actions: {
    ...resetForm.actions,
    ...advanceForm.actions,
    ...forkForm.actions,
    ...rulesForm.actions,
    async clear(visit) {
      const { value } = await (await inSandbox(visit)).deleteFaults()
      return { to: here(visit), notice: value.message }
    },
  },
})

export const sandboxPage = sandboxAt(
  "/sandbox",
  async (visit) => html`<h1>Sandbox</h1>
<p class="soft">The service’s own sandbox, which this console shows, and those that tests have named. <a href="${visit.root}/requests">Requests to the API</a></p>
<h2>Named sandboxes</h2>
${named(visit)}
<h2>Reset</h2>
<p>Replaces all data, also users and sessions: you sign in again afterwards.</p>
${resetForm.render(visit, { button: "Reset the sandbox", variant: "danger", values: { seed: "classic" } })}
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
<h2>Clock</h2>
<p>${timeTag(clock.time)} is ${distanceOf(clock)}.</p>
${advanceForm.render(visit, { button: "Advance" })}
<div class="heading"><h2>Latest requests</h2><a href="${visit.root}/sandbox/${name}/requests">All requests, live</a></div>
${requestTable(visit, requests, `/sandbox/${name}/requests`)}
<h2>Copy</h2>
${forkForm.render(visit, { button: "Copy the sandbox" })}
<h2>Reset</h2>
${resetForm.render(visit, { button: "Reset the sandbox", variant: "danger", values: { seed: "classic" } })}
${await faults(visit)}`
})

function distanceOf({ aheadSeconds, frozen }: ResponseOf<typeof sandbox.getClock>): string {
  if (frozen) return "frozen"
  if (aheadSeconds === 0) return "real time"
  return `${inWords(Math.abs(aheadSeconds) * 1000)} ${aheadSeconds > 0 ? "ahead of" : "behind"} real time`
}

async function faults(visit: Visit): Promise<Markup> {
  const called = await (await inSandbox(visit)).getFaults()
  const rules = called.value.rules.map(({ count, ...rule }) => ({ count, json: JSON.stringify(rule) }))
  return html`<h2>Faults on purpose</h2>
${rules.length > 0 && rulesInForce(visit, rules)}
${rulesForm.render(visit, { button: "Set the rules", values: { rules: rules.length > 0 ? `[\n${rules.map(({ json }) => json).join(",\n")}\n]` : "" } })}
${apiRequest(visit, called)}`
}

const rulesInForce = (visit: Visit, rules: readonly { count: number; json: string }[]): Markup => html`<ol>
${rules.map(({ count, json }) => html`<li><code>${json}</code> <span class="soft">affected ${count}</span></li>`)}
</ol>
<div class="doings">${actionButton(visit, { action: "clear", label: "End all rules", variant: "quiet small" })}</div>`

const named = (visit: Visit): Markup =>
  table({
    caption: "Named sandboxes",
    columns: [
      {
        title: "Name",
        kind: "name",
        isHead: true,
        cell: ({ name }) => html`<a href="${visit.root}/sandbox/${name}">${name}</a>`,
      },
      { title: "Size", kind: "number", cell: ({ bytes }) => `${Math.round(bytes / 1024)} KiB` },
    ],
    rows: visit.namedSandboxes(),
    empty: html`There are none. A request that names one creates it: <code>curl -H 'api_key: special-key' ${visit.service.publicUrl()}/s/my-test/api/v3/pet/1</code>`,
  })
