import { html, type Markup } from "../html.ts"
import { type OnPage, postForm } from "./post-form.ts"

export type Button = {
  action: string
  words: string
  look?: "quiet" | "quiet small" | "danger"
  /** Hidden fields. */
  fields?: Readonly<Record<string, string | number>>
}

/** A form that is one button. */
export const actionButton = (page: OnPage, { action, words, look, fields = {} }: Button): Markup =>
  postForm(
    page,
    html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button${look && html` class="${look}"`}>${words}</button>`,
    { action },
  )
