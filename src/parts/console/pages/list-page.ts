import { Problem } from "../../../core/kernel/problem.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { type Heading, heading } from "../../site/pages/parts/heading.ts"
import { inLabels } from "../../site/pages/parts/in-labels.ts"
import { alarm } from "../../site/pages/parts/notice.ts"
import { pager, pageSizeOf } from "../../site/pages/parts/pager.ts"
import { type Control, isBeside, labelIn, searchForm } from "../../site/pages/parts/search-form.ts"
import { type Column, table } from "../../site/pages/parts/table.ts"
import type { ApiRequest } from "../../site/serving/call.ts"
import { type Bulk, bulkForm, tickColumn } from "./bulk.ts"
import type { ConsolePage, Visit } from "./page.ts"
import { apiRequest } from "./parts/api-request.ts"

/** `request` is absent when the rows come from no single request. */
export type ListResult<Row> = { value: Row[]; next: string | undefined; request?: ApiRequest | undefined }

export type ListQuery = Record<string, string | number>

type List<Row> = {
  find(visit: Visit, query: ListQuery): Promise<ListResult<Row>>
  show(visit: Visit, rows: Row[], next: string | undefined): Markup | Promise<Markup>
}

type ListPage = Pick<ConsolePage, "path" | "title" | "scope" | "forStaff" | "actions" | "asks"> & {
  /** Adds to the heading, or replaces its title. */
  heading?(visit: Visit): Partial<Heading>
  intro?(visit: Visit): Markup | undefined | Promise<Markup | undefined>
  /** Filters: parameters of its operation. */
  controls?: readonly Control[]
  /** Label of the search button (default "Search"). */
  button?: string
}

export const listPage = <Row>(page: ListPage & List<Row>): ConsolePage => ({
  ...page,
  async show(visit) {
    const { title, intro, controls = [], button } = page
    const list = await readList(
      visit,
      page,
      controls.map(({ name }) => name),
    )
    const violations = list instanceof Problem ? list.violations : []
    return html`${heading(visit, { title, ...page.heading?.(visit) })}
${await intro?.(visit)}
${controls.length > 0 && searchForm(visit, controls, { button, violations, kept: ["limit"] })}
${list instanceof Problem ? refusedSearch(list, controls) : list}`
  },
})

const refusedSearch = (refusal: Problem, controls: readonly Control[]): Markup =>
  isBeside(controls, refusal.violations)
    ? html`<p class="empty">Correct the search to see the list.</p>`
    : alarm(inLabels(refusal, labelIn(controls)).detail)

export const tablePage = <Row>({
  columns,
  empty,
  isCompact,
  bulk,
  ...page
}: ListPage &
  Pick<List<Row>, "find"> & {
    columns(visit: Visit, rows: Row[]): readonly Column<Row>[] | Promise<readonly Column<Row>[]>
    empty(visit: Visit): Markup | string
    isCompact?: true
    /** Changes of several rows; undefined when the user may not make them. */
    bulk?(visit: Visit): Bulk<Row> | undefined
  }) =>
  listPage<Row>({
    ...page,
    async show(visit, rows) {
      const changes = rows.length > 0 ? bulk?.(visit) : undefined
      const shown = await columns(visit, rows)
      return html`${changes && bulkForm(visit, changes, rows)}
${table({
  caption: page.title,
  columns: changes ? [tickColumn(visit, changes), ...shown] : shown,
  rows,
  empty: empty(visit),
  isCompact,
})}`
    },
  })

/** One page of a list on a page with other content, whose request the page shows. A rejected query is reported instead of the list only. */
export async function showList<Row>(visit: Visit, { find, show }: List<Row>): Promise<Markup> {
  const findOnly: typeof find = async (...wanted) => ({ ...(await find(...wanted)), request: undefined })
  const shown = await readList(visit, { find: findOnly, show }, [])
  return shown instanceof Problem ? alarm(shown.detail) : shown
}

/** One page of a list, filtered by those of `parameters` that are in the page's query; or why the query is rejected. */
async function readList<Row>(
  visit: Visit,
  { find, show }: List<Row>,
  parameters: readonly string[],
): Promise<Markup | Problem> {
  const { query } = visit
  const fields = [...parameters, "cursor"].flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : []))
  try {
    const { value, next, request } = await find(visit, { ...Object.fromEntries(fields), limit: pageSizeOf(query) })
    return html`${await show(visit, value, next)}${pager(visit, next)}${request && apiRequest(visit, { request })}`
  } catch (error) {
    if (error instanceof Problem && error.code === "invalid-parameter") return error
    throw error
  }
}
