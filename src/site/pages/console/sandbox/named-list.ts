import type { Sandbox } from "../../../../domain/sandbox/named/contract.ts"
import { SandboxName, seeds } from "../../../../domain/sandbox/start/contract.ts"
import { Type } from "../../../../kernel/schema/type.ts"
import { html, type Markup } from "../../html.ts"
import { actionButton } from "../../parts/action-button.ts"
import { fieldsOf } from "../../parts/fields.ts"
import { type Column, table } from "../../parts/table.ts"
import { timeAgo } from "../../parts/time.ts"
import { formOf } from "../form.ts"
import type { Visit } from "../page.ts"
import { distanceOf } from "./clock.ts"
import { seedChoices } from "./sandbox-home.ts"

export const newForm = formOf({
  action: "create",
  fields: fieldsOf(Type.Object({ name: SandboxName("Its name"), seed: Type.Enum([...seeds]) }), {
    name: { label: "Name", hint: "Letters, digits and . _ -, such as test-17." },
    seed: { label: "Data", choices: seedChoices },
  }),
  async submit(visit, body) {
    const { value } = await (await visit.sandbox()).createSandbox({ body })
    return { to: `/sandbox/${value.name}`, notice: `The sandbox ${value.name} was created` }
  },
})

export const namedList = (visit: Visit): Markup => html`${table({
  caption: "Named sandboxes",
  columns: columns(visit),
  rows: visit.namedSandboxes(),
  empty: html`There are none. A request that names one creates it: <code>curl -H 'api_key: special-key' ${visit.service.publicUrl()}/s/my-test/api/v3/pet/1</code>`,
})}
<details><summary>New sandbox</summary>
${newForm.render(visit, { button: "Create the sandbox", values: { seed: "initial" } })}
</details>`

/** Leads to the store and the console of a named sandbox. */
export const lookInside = (visit: Visit, name: string, label = "Look inside"): Markup =>
  actionButton({ ...visit, path: "/sandbox" }, { action: "look", label, variant: "quiet small", fields: { name } })

const columns = (visit: Visit): readonly Column<Sandbox>[] => [
  {
    title: "Name",
    kind: "name",
    isHead: true,
    cell: ({ name }) => html`<a href="${visit.root}/sandbox/${name}">${name}</a>`,
  },
  { title: "Last request", kind: "time", cell: ({ lastRequestAt }) => timeAgo(visit, lastRequestAt) },
  { title: "Requests", kind: "number", cell: ({ requests }) => requests.toLocaleString("en") },
  { title: "Clock", kind: "text", cell: ({ clock }) => distanceOf(clock) },
  { title: "Size", kind: "number", cell: ({ bytes }) => `${Math.ceil(bytes / 1024).toLocaleString("en")} KiB` },
  { title: "Copied from", kind: "name", cell: ({ copiedFrom = "" }) => copiedFrom },
  { title: "Store and console", kind: "text", cell: ({ name }) => lookInside(visit, name) },
]
