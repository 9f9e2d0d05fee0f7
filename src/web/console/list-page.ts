import { Problem } from "../../kernel/problem.ts"
import { html, type Markup } from "../html.ts"
import { apiRequest } from "../parts/api-request.ts"
import { type Heading, heading } from "../parts/heading.ts"
import { alarm } from "../parts/notice.ts"
import { pager } from "../parts/pager.ts"
import { type Control, searchForm } from "../parts/search-form.ts"
import { type Column, table } from "../parts/table.ts"
import type { ApiRequest } from "./call.ts"
import type { ConsolePage, Visit } from "./page.ts"

/** `request` is absent when the rows come from no single request. */
export type ListResult<Row> = { value: Row[]; next: string | undefined; request?: ApiRequest | undefined }

/** Parameters of a list's operation. */
export type ListQuery = Record<string, string | number>

type List<Row> = {
  find(visit: Visit, query: ListQuery): Promise<ListResult<Row>>
  show(visit: Visit, rows: Row[], next: string | undefined): Markup | Promise<Markup>
}

type ListPage = Pick<ConsolePage, "path" | "title" | "scope" | "forStaff" | "actions"> & {
  /** Adds to the heading, or replaces its title. */
  heading?(visit: Visit): Partial<Heading>
  intro?(visit: Visit): Markup
  /** Filters: parameters of its operation. */
  controls?: readonly Control[]
  /** Label of the search button (default "Search"). */
  button?: string
}

/** A page that is one list. */
export const listPage = <Row>(page: ListPage & List<Row>): ConsolePage => ({
  ...page,
  async show(visit) {
    const { title, intro, controls = [], button } = page
    const list = await showList(
      visit,
      page,
      controls.map(({ name }) => name),
    )
    return html`${heading(visit, { title, ...page.heading?.(visit) })}
${intro?.(visit)}
${controls.length > 0 && searchForm(visit, controls, button)}
${list}`
  },
})

/** A page that is one table. */
export const tablePage = <Row>({
  columns,
  empty,
  ...page
}: ListPage &
  Pick<List<Row>, "find"> & {
    columns(visit: Visit, rows: Row[]): readonly Column<Row>[] | Promise<readonly Column<Row>[]>
    empty(visit: Visit): Markup | string
  }) =>
  listPage<Row>({
    ...page,
    show: async (visit, rows) =>
      table({ caption: page.title, columns: await columns(visit, rows), rows, empty: empty(visit) }),
  })

const rowsShown = 25

/**
 * One page of a list, filtered by those of `parameters` that are in the page's query. A rejected query is reported in place of the
 * list only.
 */
export async function showList<Row>(
  visit: Visit,
  { find, show }: List<Row>,
  parameters: readonly string[] = [],
): Promise<Markup> {
  const { query } = visit
  const given = [...parameters, "cursor"].flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : []))
  try {
    const { value, next, request } = await find(visit, { ...Object.fromEntries(given), limit: rowsShown })
    return html`${await show(visit, value, next)}${pager(visit, next)}${request && apiRequest(visit, { request })}`
  } catch (error) {
    if (error instanceof Problem && error.code === "invalid-parameter") return alarm(error.detail)
    throw error
  }
}
