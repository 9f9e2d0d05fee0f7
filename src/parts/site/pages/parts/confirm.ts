import { html, type Markup } from "../html.ts"
import { actionButton, type Button } from "./action-button.ts"
import type { OnPage } from "./post-form.ts"

/** A button behind a warning that must be opened first. */
export const confirm = (
  page: OnPage,
  { summary, warning, ...button }: Button & { summary: string; warning: string },
): Markup =>
  html`<details class="confirm"><summary>${summary}</summary>
<p>${warning}</p>
${actionButton(page, { ...button, variant: "danger" })}
</details>`
