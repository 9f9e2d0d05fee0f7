import { Type } from "../../../core/kernel/schema/type.ts"
import { formOf } from "../../console/pages/form.ts"
import type { Visit } from "../../console/pages/page.ts"
import { fieldsOf } from "../../console/pages/parts/fields.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { actionButton } from "../../site/pages/parts/action-button.ts"
import { type Column, table } from "../../site/pages/parts/table.ts"
import { timeAgo } from "../../site/pages/parts/time.ts"
import type { Sandbox } from "../named/contract.ts"
import { SandboxName, seeds } from "../seeds/contract.ts"
import { distanceOf } from "./clock.ts"
import { seedChoices } from "./sandbox-home.ts"
import { sandboxOf } from "./sandbox-visit.ts"

export const newForm = formOf({
  action: "create",
  fields: fieldsOf(Type.Object({ name: SandboxName("Its name"), seed: Type.Enum([...seeds]) }), {
    name: { label: "Name", hint: "Letters, digits and . _ -, such as test-17." },
    seed: { label: "Data", choices: seedChoices },
  }),
  async submit(visit, body) {
    const { value } = await (await sandboxOf(visit).call()).createSandbox({ body })
    return { to: `/sandbox/${value.name}`, notice: `The sandbox ${value.name} was created` }
  },
})

export const namedList = (visit: Visit): Markup => html`${table({
  caption: "Named sandboxes",
  columns: columns(visit),
  rows: sandboxOf(visit).list(),
  empty: html`There are none. A request that names one creates it: <code>curl -H 'api_key: special-key' ${visit.service.publicUrl()}/s/my-test/api/v3/pet/1</code>`,
})}
<details><summary id="new">New sandbox</summary>
${newForm.render(visit, { button: "Create the sandbox", variant: "quiet", values: { seed: "initial" } })}
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
