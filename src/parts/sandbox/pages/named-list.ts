import { createReadStream } from "node:fs"
import type { Static } from "typebox"
import { jsonType } from "../../../core/kernel/network/media-types.ts"
import { Type } from "../../../core/kernel/schema/type.ts"
import { formOf } from "../../console/pages/form.ts"
import type { Visit } from "../../console/pages/page.ts"
import { fieldsOf } from "../../console/pages/parts/fields.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { actionButton } from "../../site/pages/parts/action-button.ts"
import { fileForm } from "../../site/pages/parts/file-form.ts"
import { type Column, table } from "../../site/pages/parts/table.ts"
import { timeAgo } from "../../site/pages/parts/time.ts"
import { sandboxFileBytesMax } from "../files/contract.ts"
import { mebibyte } from "../named/bounds.ts"
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

const fileShape = {
  types: [jsonType],
  bytesMax: sandboxFileBytesMax,
  fields: Type.Object({ name: SandboxName("Its name") }),
}

/** Makes a sandbox from a file that the page receives. */
export async function makeFromUpload(visit: Visit): Promise<{ to: `/${string}`; notice: string }> {
  await using incoming = visit.receive(fileShape)
  const { file, fields } = await incoming.receive()
  const { name } = fields as Static<typeof fileShape.fields>
  await sandboxOf(visit).makeFrom(createReadStream(file), name)
  return { to: `/sandbox/${name}`, notice: `The sandbox ${name} was made from the file` }
}

export const namedList = (visit: Visit): Markup => html`${table({
  caption: "Named sandboxes",
  columns: columns(visit),
  rows: sandboxOf(visit).list(),
  empty: html`There are none. A request that names one creates it: <code>curl -H 'api_key: special-key' ${visit.service.publicUrl()}/s/my-test/api/v3/pet/1</code>`,
})}
<details><summary id="new">New sandbox</summary>
${newForm.render(visit, { button: "Create the sandbox", variant: "quiet", values: { seed: "initial" } })}
</details>
<details><summary>New sandbox from a file</summary>
${fileForm(visit, {
  action: "restore",
  accept: ".petstore,.json,application/json",
  label: "Sandbox file",
  hint: `As petstore sandbox export writes it, of at most ${sandboxFileBytesMax / mebibyte} MiB.`,
  button: "Make the sandbox",
  variant: "quiet",
  fields: html`<label for="file-name">Name</label>
<input id="file-name" name="name" required maxlength="64">`,
})}
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
  { title: "Inside", kind: "text", cell: ({ name }) => lookInside(visit, name) },
]
