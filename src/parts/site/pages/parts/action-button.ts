import { html, type Markup } from "../html.ts"
import { type OnPage, postForm } from "./post-form.ts"

export type Button = {
  action: string
  label: string
  variant?: "quiet" | "quiet small" | "danger"
  /** Hidden fields. */
  fields?: Readonly<Record<string, string | number>>
}

/** A form that is one button. */
export const actionButton = (page: OnPage, { action, label, variant, fields = {} }: Button): Markup =>
  postForm(
    page,
    html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button${variant && html` class="${variant}"`}>${label}</button>`,
    { action },
  )
