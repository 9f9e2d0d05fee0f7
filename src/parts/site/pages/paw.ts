import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { Markup } from "./html.ts"

const shapes =
  '<g fill="currentColor"><ellipse cx="32" cy="43" rx="14" ry="12"/><ellipse cx="12.5" cy="30" rx="5.5" ry="7.5" transform="rotate(-24 12.5 30)"/>' +
  '<ellipse cx="25" cy="18" rx="5.8" ry="8.5" transform="rotate(-8 25 18)"/><ellipse cx="39" cy="18" rx="5.8" ry="8.5" transform="rotate(8 39 18)"/>' +
  '<ellipse cx="51.5" cy="30" rx="5.5" ry="7.5" transform="rotate(24 51.5 30)"/></g>'

export const paw = new Markup(
  `<svg viewBox="0 0 64 64" width="64" height="64" aria-hidden="true" focusable="false">${shapes}</svg>`,
)

/** The site's icon as an SVG file; it follows the browser's color scheme. */
export const favicon: HttpResponse = {
  status: 200,
  headers: ["content-type", "image/svg+xml", "cache-control", "public, max-age=300"],
  body:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><style>:root{color:#b0431d}' +
    `@media(prefers-color-scheme:dark){:root{color:#f2996f}}</style>${shapes}</svg>`,
}
