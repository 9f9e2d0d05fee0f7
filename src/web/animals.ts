import type { HttpResponse } from "../kernel/network/http-response.ts"
import { Markup } from "./html.ts"

const drawing = (shapes: string): Markup =>
  new Markup(`<svg viewBox="0 0 64 64" width="64" height="64" aria-hidden="true" focusable="false">${shapes}</svg>`)

const pawShapes =
  '<g fill="currentColor"><ellipse cx="32" cy="43" rx="14" ry="12"/><ellipse cx="12.5" cy="30" rx="5.5" ry="7.5" transform="rotate(-24 12.5 30)"/>' +
  '<ellipse cx="25" cy="18" rx="5.8" ry="8.5" transform="rotate(-8 25 18)"/><ellipse cx="39" cy="18" rx="5.8" ry="8.5" transform="rotate(8 39 18)"/>' +
  '<ellipse cx="51.5" cy="30" rx="5.5" ry="7.5" transform="rotate(24 51.5 30)"/></g>'

export const paw = drawing(pawShapes)

/** The site's icon as an SVG file; it follows the browser's color scheme. */
export const favicon: HttpResponse = {
  status: 200,
  headers: ["content-type", "image/svg+xml", "cache-control", "public, max-age=300"],
  body:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><style>:root{color:#b0431d}' +
    `@media(prefers-color-scheme:dark){:root{color:#f2996f}}</style>${pawShapes}</svg>`,
}

const face = '<circle class="ink" cx="24" cy="34" r="2.6"/><circle class="ink" cx="40" cy="34" r="2.6"/>'
const mouth = '<path class="line" d="M32 43v3m0 0c-1.5 3-5 3-6.5 1m6.5-1c1.5 3 5 3 6.5 1"/>'
const nose = '<path class="ink" d="M29 40h6l-3 3.5z"/>'

const cat = drawing(
  `<path class="fur" d="M13 10l12 9h14l12-9 2 26c0 12-9 20-21 20S11 48 11 36z"/>${face}${nose}${mouth}` +
    '<path class="line" d="M5 38l9 1.5M5 47l9.5-2M59 38l-9 1.5M59 47l-9.5-2"/>',
)
const dog = drawing(
  '<path class="fur" d="M16 22c2-8 8-12 16-12s14 4 16 12l1 14c0 12-7 20-17 20s-17-8-17-20z"/>' +
    '<path class="mark" d="M17 16C9 14 5 20 6 29c.5 7 3 12 7 12s5-6 5-12zM47 16c8-2 12 4 11 13-.5 7-3 12-7 12s-5-6-5-12z"/>' +
    `${face}<ellipse class="ink" cx="32" cy="41" rx="4" ry="3"/>${mouth}`,
)
const lion = drawing(
  '<path class="mark" d="M32 3l6 6 8-3 3 8 9 1-1 9 7 6-5 7 3 9-8 3-2 9-9-1-6 6h-10l-6-6-9 1-2-9-8-3 3-9-5-7 7-6-1-9 9-1 3-8 8 3z"/>' +
    '<circle class="mark" cx="17" cy="19" r="5"/><circle class="mark" cx="47" cy="19" r="5"/>' +
    `<circle class="fur" cx="32" cy="36" r="19"/>${face}${nose}${mouth}`,
)
const rabbit = drawing(
  '<path class="fur" d="M25 28C17 22 14 4 20 3s11 14 11 24zM39 28c8-6 11-24 5-25S33 17 33 27z"/>' +
    '<path class="mark" d="M25 22c-4-5-5.5-12-4-13s5 6 6 13zM39 22c4-5 5.5-12 4-13s-5 6-6 13z"/>' +
    `<ellipse class="fur" cx="32" cy="41" rx="18" ry="16"/>${face.replaceAll('"34"', '"38"')}<path class="ink" d="M29.5 43h5l-2.5 3z"/>` +
    '<path class="line" d="M32 46v2m0 0c-1.5 2.5-4.5 2.5-6 1m6-1c1.5 2.5 4.5 2.5 6 1"/>',
)

const byCategory: Record<string, Markup> = { Cats: cat, Dogs: dog, Lions: lion, Rabbits: rabbit }

export const portraitOf = (category: string | undefined): Markup =>
  (category !== undefined && Object.hasOwn(byCategory, category) && byCategory[category]) || paw
