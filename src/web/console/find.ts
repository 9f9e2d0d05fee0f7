import { Problem } from "../../kernel/problem.ts"
import { html, type Markup } from "../html.ts"

/** One page of a list. */
type Found<Row> = { value: Row[]; next: string | undefined }

type Asked = Record<string, string | number>

/** Rows a page of a list shows. */
const shown = 25

/**
 * Shows the page of a list that the address asks for, by these parameters of its operation. What cannot be searched for is
 * said above the list, not in place of the page.
 */
export async function showFound<Row>(
  query: URLSearchParams,
  parameters: readonly string[],
  ask: (asked: Asked) => Promise<Found<Row>>,
  show: (found: Found<Row>) => Markup | Promise<Markup>,
): Promise<Markup> {
  const given = [...parameters, "cursor"].flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : []))
  try {
    return await show(await ask({ ...Object.fromEntries(given), limit: shown }))
  } catch (error) {
    if (error instanceof Problem && error.code === "invalid-parameter")
      return html`<p class="alarm" role="alert">${error.detail}</p>`
    throw error
  }
}
