import { html, type Markup } from "../html.ts"
import { type Heading, heading } from "../parts/heading.ts"
import { type Control, searchForm } from "../parts/search-form.ts"
import { type List, showFound } from "./find.ts"
import type { ConsolePage, Visit } from "./page.ts"

type ListPage<Row> = Pick<ConsolePage, "path" | "title" | "nav" | "scope" | "forStaff" | "actions"> &
  Omit<List<Row>, "parameters"> & {
    /** What the heading has besides the title of the page, or in place of it. */
    heading?(visit: Visit): Partial<Heading>
    intro?(visit: Visit): Markup
    /** What the list is narrowed down by: parameters of its operation. */
    controls?: readonly Control[]
    /** What the button of the search says. */
    button?: string
  }

/** A page that is one list. */
export const listPage = <Row>(page: ListPage<Row>): ConsolePage => ({
  ...page,
  async show(visit) {
    const { title, intro, controls = [], button } = page
    const list = await showFound(visit, { ...page, parameters: controls.map(({ name }) => name) })
    return html`${heading(visit, { title, ...page.heading?.(visit) })}
${intro?.(visit)}
${controls.length > 0 && searchForm(visit, controls, button)}
${list}`
  },
})
