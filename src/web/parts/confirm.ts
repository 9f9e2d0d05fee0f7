import { html, type Markup } from "../html.ts"
import { actionButton } from "./action-button.ts"
import type { OnPage } from "./post-form.ts"

type Options = {
  summary: string
  warning: string
  action: string
  /** What the button that does it says. */
  words: string
  fields?: Readonly<Record<string, string | number>>
}

/** A button that says first what it does. */
export const confirm = (page: OnPage, { summary, warning, ...button }: Options): Markup =>
  html`<details class="confirm"><summary>${summary}</summary>
<p>${warning}</p>
${actionButton(page, { ...button, look: "danger" })}
</details>`
