import { html, type Markup } from "../html.ts"

export const copyable = (text: string, what: string): Markup =>
  html`<span class="copyable"><code>${text}</code>${copyButton(text, what)}</span>`

/** A button that copies a text; the page's script shows it. */
export const copyButton = (text: string, what: string, label = "Copy"): Markup =>
  html`<button type="button" class="quiet small" data-copy="${text}"${label === "Copy" && html` aria-label="Copy ${what}"`} hidden>${label}</button>`
