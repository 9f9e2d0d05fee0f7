import { html, type Markup } from "../html.ts"

/** A button that says first what it does; `form` holds the one that does it. */
export const confirm = (summary: string, warning: string, form: Markup): Markup =>
  html`<details class="confirm"><summary>${summary}</summary>
<p>${warning}</p>
${form}
</details>`
