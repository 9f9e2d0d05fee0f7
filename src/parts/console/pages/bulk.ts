// Decision: docs/decisions/console.md#several-rows-are-changed-one-by-one

import { counted } from "../../../core/kernel/counted.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { heading } from "../../site/pages/parts/heading.ts"
import { inLabels, type LabelOf } from "../../site/pages/parts/in-labels.ts"
import { inSentence } from "../../site/pages/parts/in-sentence.ts"
import { pageSizes } from "../../site/pages/parts/pager.ts"
import { postForm } from "../../site/pages/parts/post-form.ts"
import { type Column, table } from "../../site/pages/parts/table.ts"
import { type Action, type Asked, hereOf, type Visit } from "./page.ts"
import { linkTo } from "./parts/link-to.ts"

/** A row that can be ticked; `etag` is that of the shown version. */
type Item = { id: number; etag?: string | undefined }

/** Changes of the ticked rows of a table. */
export type Bulk<Row> = {
  itemOf(row: Row): Item
  nameOf(row: Row): string
  /** Fields, and buttons with the name `action`. */
  controls: Markup
}

const formId = "bulk"
const itemsMax = Math.max(...pageSizes)
const namedMax = 2

/** The form of the boxes in `tickColumn`, shown while one is ticked. */
export const bulkForm = <Row>(visit: Visit, { itemOf, controls }: Bulk<Row>, rows: readonly Row[]): Markup =>
  postForm(
    visit,
    html`${rows.map(itemOf).map(({ id, etag }) => html`<input type="hidden" name="shown" value="${id} ${etag}">`)}
<div class="ticked"><span class="soft" role="status"></span>${controls}</div>`,
    { to: hereOf(visit), id: formId, className: "bulk" },
  )

export function tickColumn<Row>({ failure }: Visit, { itemOf, nameOf }: Bulk<Row>): Column<Row> {
  const picked = failure?.form.getAll("pick") ?? []
  return {
    title: "Select",
    kind: "tick",
    // Ticks every row, without the script too.
    head: html`<input type="checkbox" form="${formId}" name="all" value="yes" aria-label="Select all on this page">`,
    cell(row) {
      const { id } = itemOf(row)
      return html`<input type="checkbox" form="${formId}" name="pick" value="${id}" aria-label="Select ${nameOf(row)}"${picked.includes(String(id)) && html` checked`}>`
    },
  }
}

type Change = {
  /** What the rows are, in the singular. */
  noun: string
  /** What the change does, as in "was deleted". */
  done(form: URLSearchParams): string
  change(visit: Visit, item: Item, form: URLSearchParams): Promise<unknown>
  /** The current name of a row that was refused, and its page, if it has one. */
  describe(visit: Visit, id: number): Promise<{ name: string; path?: string }>
  /** Of the fields that the change sends. */
  labelOf?: LabelOf
}

/** Asks each time before several rows are changed for good, and names the first ones. */
export const bulkQuestion = ({
  verb,
  noun,
  describe,
}: { verb: string } & Pick<Change, "noun" | "describe">): Asked => ({
  password: true,
  always: true,
  async question(visit, form) {
    const items = readItems(form)
    const named = await Promise.all(items.slice(0, namedMax).map(({ id }) => describe(visit, id)))
    const names = named.map(({ name }) => name)
    const more = items.length - named.length
    const what = counted(items.length, noun)
    return {
      title: `${verb} ${what}?`,
      detail: `${inSentence(more > 0 ? [...names, `${more} more`] : names)}. This cannot be undone.`,
      button: `${verb} ${what}`,
    }
  },
})

type Refusal = Awaited<ReturnType<Change["describe"]>> & { reason: string }

/** Changes each ticked row by itself, as one request of the plan. Those that were refused are shown with the reasons. */
export const bulkAction =
  (action: Change): Action =>
  async (visit, form) => {
    const items = readItems(form)
    const refusals: Refusal[] = []
    for (const [n, item] of items.entries()) {
      const problem = await problemOf(async () => {
        if (n > 0) await visit.countRequest()
        await action.change(visit, item, form)
      })
      if (problem)
        refusals.push({ ...(await action.describe(visit, item.id)), reason: reasonOf(problem, action.labelOf) })
    }
    const summary = `${count(items.length - refusals.length, action.noun)} ${action.done(form)}`
    return refusals.length === 0
      ? { to: hereOf(visit), notice: summary }
      : { show: refusalPage(visit, { noun: action.noun, summary, refusals }) }
  }

/** The ticked rows, as the page showed them. */
function readItems(form: URLSearchParams): Item[] {
  const picked = new Set(form.getAll("pick"))
  const items = form.getAll("shown").flatMap((shown) => {
    const [id = "", etag] = shown.split(" ")
    return form.has("all") || picked.has(id) ? [{ id: Number(id), etag: etag || undefined }] : []
  })
  if (items.length === 0) throw new Problem("invalid-parameter", "Select at least one row")
  if (items.length > itemsMax) throw new Problem("invalid-parameter", `Select at most ${itemsMax} rows`)
  return items
}

async function problemOf(change: () => Promise<unknown>): Promise<Problem | undefined> {
  try {
    await change()
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

const reasonOf = (problem: Problem, labelOf: LabelOf = () => undefined): string =>
  problem.code === "precondition-failed" ? "It was changed after the list was shown" : inLabels(problem, labelOf).detail

const count = (number: number, noun: string): string =>
  number === 1 ? `1 ${noun} was` : `${number === 0 ? "No" : number} ${noun}s were`

function refusalPage(
  visit: Visit,
  { noun, summary, refusals }: { noun: string; summary: string; refusals: readonly Refusal[] },
): Markup {
  const title = `${count(refusals.length, noun)} not changed`
  return html`${heading(visit, { back: { to: hereOf(visit), label: "Back to the list" }, title })}
<p>${summary}. ${refusals.length === 1 ? "This one was" : "These were"} refused:</p>
${table<Refusal>({
  caption: title,
  columns: [
    {
      title: "Name",
      kind: "name",
      isHead: true,
      cell: ({ name, path }) => (path === undefined ? name : linkTo(visit, path, name)),
    },
    { title: "Reason", kind: "text", cell: ({ reason }) => reason },
  ],
  rows: refusals,
})}`
}
