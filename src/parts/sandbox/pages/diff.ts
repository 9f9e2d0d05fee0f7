import { Problem } from "../../../core/kernel/problem.ts"
import type { ConsolePage, Visit } from "../../console/pages/page.ts"
import { apiRequest } from "../../console/pages/parts/api-request.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { heading } from "../../site/pages/parts/heading.ts"
import { alarm } from "../../site/pages/parts/notice.ts"
import { asChoices, searchForm } from "../../site/pages/parts/search-form.ts"
import { type Column, table } from "../../site/pages/parts/table.ts"
import { type DiffLine, describeDiff, linesOf } from "../diff/diff-words.ts"
import { homeOf, inSandbox } from "./sandbox-home.ts"
import { sandboxOf } from "./sandbox-visit.ts"

const title = "What changed"

/** What a named sandbox has other than another one, or than what it started from. */
export const diffPage: ConsolePage = {
  path: "/sandbox/:name/diff",
  title,
  scope: "admin",
  async show(visit) {
    const { name = "" } = visit.params
    await inSandbox(visit)
    const names = sandboxOf(visit)
      .list()
      .map((one) => one.name)
      .filter((other) => other !== name)
    return html`${heading(visit, { ...homeOf(visit), title })}
${searchForm(
  visit,
  [{ kind: "choice", name: "with", label: "Compare with", choices: asChoices(names), none: "What it started from" }],
  { button: "Compare" },
)}
${await difference(visit, name)}`
  },
}

async function difference(visit: Visit, name: string): Promise<Markup> {
  const other = visit.query.get("with") || undefined
  const { diffSandbox } = await sandboxOf(visit).call()
  try {
    const called = await diffSandbox({ params: { name }, query: other === undefined ? {} : { with: other } })
    const { changes } = called.value
    return html`<p>${describeDiff(called.value)}.</p>
${changes.length > 0 && table({ caption: title, columns, rows: changes.flatMap(linesOf) })}
${apiRequest(visit, { request: called.request })}`
  } catch (error) {
    // Without another sandbox there is nothing to show, but the form to choose one.
    if (error instanceof Problem && ["sandbox-not-found", "invalid-parameter"].includes(error.code))
      return alarm(error.detail)
    throw error
  }
}

const columns: readonly Column<DiffLine>[] = [
  { title: "What", kind: "text", isHead: true, cell: ({ kind, id }) => `${titles[kind]} ${id}` },
  {
    title: "Change",
    kind: "badge",
    cell: ({ change }) => html`<span class="badge ${styles[change]}">${change}</span>`,
  },
  { title: "Member", kind: "code", cell: ({ member }) => member && html`<code>${member}</code>` },
  { title: "Before", kind: "name", cell: ({ before }) => before },
  { title: "After", kind: "name", cell: ({ after }) => after },
]

const titles = { pet: "Pet", order: "Order", user: "User", webhook: "Webhook", key: "Key" }
const styles = { added: "good", removed: "bad", changed: "waiting" }
