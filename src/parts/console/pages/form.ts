import { Problem } from "../../../core/kernel/problem.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { inLabels } from "../../site/pages/parts/in-labels.ts"
import { postForm } from "../../site/pages/parts/post-form.ts"
import type { Action, Visit } from "./page.ts"
import type { FormFields } from "./parts/fields.ts"

export type Form<Body> = {
  action: string
  fields: FormFields<Body>
  /** Handles the form; `form` also contains what is not in `fields`. */
  submit(visit: Visit, body: Body, form: URLSearchParams): ReturnType<Action>
}

export type FormLook = {
  button: string
  variant?: "danger" | "quiet"
  values?: object
  before?: Markup
  /** The form opens under this word, and for a link to its id. */
  folded?: string
  id?: string
}

/** A form and its action. A rejected form keeps its input; of scopes, it offers those that the user has. */
export const formOf = <Body>({ action, fields, submit }: Form<Body>) => ({
  render(visit: Visit, { button, variant, values, before, folded, id }: FormLook): Markup {
    // A page may have several forms.
    const failure = visit.failure?.form.get("action") === action ? visit.failure : undefined
    const form = postForm(
      visit,
      html`${before}${fields.render({ form: action, values, failure, only: { scopes: [...visit.scopes] } })}
<button${variant && html` class="${variant}"`}>${button}</button>`,
      { action, ...(id !== undefined && { id }) },
    )
    return folded === undefined
      ? form
      : html`<details class="edit"${failure && html` open`}><summary>${folded}</summary>${form}</details>`
  },
  actions: {
    async [action](visit, form) {
      try {
        return await submit(visit, fields.read(form), form)
      } catch (error) {
        throw error instanceof Problem ? inLabels(error, fields.labelOf) : error
      }
    },
  } satisfies Record<string, Action>,
})
