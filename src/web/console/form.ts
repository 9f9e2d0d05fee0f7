import { html, type Markup } from "../html.ts"
import type { fieldsOf } from "../parts/fields.ts"
import { postForm } from "../parts/post-form.ts"
import type { Action, Visit } from "./page.ts"

export type Form<Body> = {
  /** Which action of its page it is. */
  action: string
  fields: Pick<ReturnType<typeof fieldsOf>, "render"> & { read(form: URLSearchParams): Body }
  /** What the form does; `form` has what `fields` does not know. */
  submit(visit: Visit, body: Body, form: URLSearchParams): ReturnType<Action>
}

export type FormLook = {
  button: string
  look?: "danger"
  values?: object
  before?: Markup
}

/** A form of a page and what it does. It keeps what was typed when it was refused, and offers the scopes that the person has. */
export const formOf = <Body>({ action, fields, submit }: Form<Body>) => ({
  render(visit: Visit, { button, look, values, before }: FormLook): Markup {
    // Of several forms on a page, the one that was sent.
    const failure = visit.failure?.form.get("action") === action ? visit.failure : undefined
    return postForm(
      visit,
      html`${before}${fields.render({ values, failure, only: { scopes: [...visit.scopes] } })}
<button${look && html` class="${look}"`}>${button}</button>`,
      { action },
    )
  },
  actions: { [action]: (visit, form) => submit(visit, fields.read(form), form) } satisfies Record<string, Action>,
})
