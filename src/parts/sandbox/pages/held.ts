import { basePath } from "../../../core/kernel/network/path.ts"
import type { Action, Visit } from "../../console/pages/page.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { actionButton } from "../../site/pages/parts/action-button.ts"
import { type Column, table } from "../../site/pages/parts/table.ts"
import { timeAgo } from "../../site/pages/parts/time.ts"
import type { HeldRequest } from "../holds/contract.ts"
import { inSandbox, sandboxPageOf } from "./sandbox-home.ts"

export const heldActions: Readonly<Record<string, Action>> = {
  async release(visit, form) {
    const { value } = await (await inSandbox(visit)).releaseHold({ params: { id: Number(form.get("id")) } })
    return { to: sandboxPageOf(visit), notice: value.message }
  },
}

/** The requests that are held; nothing while there are none. */
export async function heldSection(visit: Visit): Promise<Markup | false> {
  const { value: rows } = await (await inSandbox(visit)).listHolds()
  if (rows.length === 0) return false
  return html`<h2>Held requests</h2>
${table({ caption: "Held requests, longest first", columns: columns(visit), rows })}`
}

const columns = (visit: Visit): readonly Column<HeldRequest>[] => [
  {
    title: "Request",
    kind: "text",
    isHead: true,
    cell: ({ method, path }) => html`<span class="clamp">${method} ${path.replace(basePath, "")}</span>`,
  },
  { title: "Held", kind: "text", cell: ({ where }) => (where === "before" ? "before its operation" : "its response") },
  { title: "Credential", kind: "id", cell: ({ caller = "" }) => caller },
  { title: "Continues", kind: "time", cell: ({ until }) => timeAgo(visit, until) },
  {
    title: "Now",
    kind: "text",
    cell: ({ id }) =>
      actionButton(visit, { action: "release", label: "Release", variant: "quiet small", fields: { id } }),
  },
]
