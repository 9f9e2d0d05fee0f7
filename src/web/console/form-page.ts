import { html, type Markup } from "../html.ts"
import { type Heading, heading } from "../parts/heading.ts"
import { type Form, formOf } from "./form.ts"
import type { ConsolePage, Visit } from "./page.ts"

type About = Partial<Heading> & {
  intro?: Markup
  values?: object
  before?: Markup
  button: string
}

type FormPage<Body> = Pick<ConsolePage, "path" | "title" | "scope" | "forStaff" | "asksPassword"> &
  Form<Body> & { look?: "danger"; about: About | ((visit: Visit) => Promise<About>) }

/** A page that is one form. */
export function formPage<Body>({ about, look, ...page }: FormPage<Body>): ConsolePage {
  const { render, actions } = formOf(page)
  return {
    ...page,
    actions,
    async show(visit) {
      const { intro, values, before, button, ...on } = typeof about === "function" ? await about(visit) : about
      return html`${heading(visit, { title: page.title, ...on })}
${intro}
${render(visit, { button, look, values, before })}`
    },
  }
}
