import { Problem } from "../../kernel/problem.ts"
import { html, type Markup } from "../html.ts"
import { alarm } from "../parts/notice.ts"
import { pager } from "../parts/pager.ts"
import type { Visit } from "./page.ts"

/** One page of a list. */
export type Found<Row> = { value: Row[]; next: string | undefined }

export type Asked = Record<string, string | number>

/** Rows a page of a list shows. */
const shown = 25

export type List<Row> = {
  /** Parameters of the operation that the address may give, besides `cursor`. */
  parameters: readonly string[]
  find(visit: Visit, asked: Asked): Promise<Found<Row>>
  show(visit: Visit, rows: Row[], next: string | undefined): Markup | Promise<Markup>
}

/** Shows the page of a list that the address asks for. A search that is refused says so above the list, not in place of the page. */
export async function showFound<Row>(visit: Visit, { parameters, find, show }: List<Row>): Promise<Markup> {
  const { query } = visit
  const given = [...parameters, "cursor"].flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : []))
  try {
    const { value, next } = await find(visit, { ...Object.fromEntries(given), limit: shown })
    return html`${await show(visit, value, next)}${pager(visit, next)}`
  } catch (error) {
    if (error instanceof Problem && error.code === "invalid-parameter") return alarm(error.detail)
    throw error
  }
}
