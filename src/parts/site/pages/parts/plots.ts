import { html, type Markup } from "../html.ts"

export const useBar = (used: number, max: number, label: string): Markup =>
  html`<svg class="use" role="img" aria-label="${label}" viewBox="0 0 100 6" preserveAspectRatio="none">
<rect class="unused" width="100" height="6" rx="1"/><rect class="${used >= max ? "full" : "used"}" width="${Math.min(100, (used / Math.max(1, max)) * 100)}" height="6" rx="1"/></svg>`
