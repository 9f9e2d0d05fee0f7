import { mapValues } from "../../../core/kernel/json/map-values.ts"
import { invalidBody } from "../../../core/kernel/problem.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { type Heading, heading } from "../../site/pages/parts/heading.ts"
import { inLabels } from "../../site/pages/parts/in-labels.ts"
import { type Form, type FormLook, formOf } from "./form.ts"
import type { ConsolePage, Visit } from "./page.ts"

type About = Partial<Heading> & FormLook & { intro?: Markup | undefined }

type FormPage<Body> = Pick<ConsolePage, "path" | "title" | "scope" | "forStaff" | "asks"> &
  Form<Body> & { about: About | ((visit: Visit) => Promise<About>) }

export function formPage<Body>({ about, ...page }: FormPage<Body>): ConsolePage {
  const { render, actions } = formOf(page)
  const { asks = {}, fields } = page
  return {
    ...page,
    actions,
    asks: mapValues(asks, (asked) => ({
      ...asked,
      question(visit, form) {
        const refusal = invalidBody(fields.check(form))
        if (refusal) throw inLabels(refusal, fields.labelOf)
        return asked.question(visit, form)
      },
    })),
    async show(visit) {
      const { intro, ...rest } = typeof about === "function" ? await about(visit) : about
      return html`${heading(visit, { title: page.title, ...rest })}
${intro}
${render(visit, rest)}`
    },
  }
}
