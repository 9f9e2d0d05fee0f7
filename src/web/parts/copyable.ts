import { html, type Markup } from "../html.ts"

/** A text with a copy button, which the page's script shows. */
export const copyable = (text: string, what: string): Markup =>
  html`<span class="copyable"><code>${text}</code><button type="button" class="quiet small" data-copy="${text}" aria-label="Copy ${what}" hidden>Copy</button></span>`
