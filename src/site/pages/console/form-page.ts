import { html, type Markup } from "../html.ts"
import { type Heading, heading } from "../parts/heading.ts"
import { type Form, type FormLook, formOf } from "./form.ts"
import type { ConsolePage, Visit } from "./page.ts"

type About = Partial<Heading> & FormLook & { intro?: Markup | undefined }

type FormPage<Body> = Pick<ConsolePage, "path" | "title" | "scope" | "forStaff" | "asks"> &
  Form<Body> & { about: About | ((visit: Visit) => Promise<About>) }

export function formPage<Body>({ about, ...page }: FormPage<Body>): ConsolePage {
  const { render, actions } = formOf(page)
  return {
    ...page,
    actions,
    async show(visit) {
      const { intro, ...rest } = typeof about === "function" ? await about(visit) : about
      return html`${heading(visit, { title: page.title, ...rest })}
${intro}
${render(visit, rest)}`
    },
  }
}
