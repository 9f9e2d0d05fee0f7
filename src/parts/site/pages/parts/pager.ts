// Decision: docs/decisions/console.md#the-way-back-through-a-list-is-in-its-address

import { html, type Markup } from "../html.ts"

type PageContext = { root: string; path: string; query: URLSearchParams }

/** The rows that a page of a list can have. */
export const pageSizes = [25, 50, 100] as const

export const pageSizeOf = (query: URLSearchParams): number =>
  pageSizes.find((size) => String(size) === query.get("limit")) ?? pageSizes[0]

/** Bounds of the cursors of earlier pages in an address: their number, and their characters in total. */
const trailMax = { cursors: 20, characters: 2_000 }

/** Links to the neighbouring pages of a list, and to other sizes of its pages unless it has one; `next` is the API's cursor. */
export function pager(
  context: PageContext,
  next: string | undefined,
  { hasSizes = true }: { hasSizes?: boolean } = {},
): Markup | undefined {
  const { query } = context
  const size = pageSizeOf(query)
  const [cursor, page] = [query.get("cursor"), pageNumberOf(query)]
  if (cursor === null && next === undefined && size === pageSizes[0]) return undefined
  return html`<nav class="pager" aria-label="Pages">
${page !== 2 && cursor !== null && html`<a href="${link(context, {})}">First page</a>`}
${previousPage(context, page)}
${page !== undefined && (page > 1 || next !== undefined) && html`<span class="soft">Page ${page}</span>`}
${next !== undefined && html`<a href="${link(context, pageAfter(query, page, next))}" rel="next">Next page</a>`}
${hasSizes && sizes(context, size)}
</nav>`
}

const sizes = (context: PageContext, size: number): Markup =>
  html`<span class="sizes"><span class="soft">Rows per page</span>${pageSizes.map(
    (each) =>
      html`<a href="${link(context, { limit: String(each) })}"${each === size && html` aria-current="true"`}>${each}</a>`,
  )}</span>`

/** Undefined when the address has a cursor only. */
function pageNumberOf(query: URLSearchParams): number | undefined {
  if (!query.has("cursor")) return 1
  const page = Number(query.get("page"))
  return Number.isSafeInteger(page) && page > 1 ? page : undefined
}

/** Absent when the address no longer has the cursor of the previous page. */
function previousPage(context: PageContext, page: number | undefined): Markup | undefined {
  if (page === undefined || page === 1) return undefined
  const trail = context.query.getAll("trail")
  const cursor = trail.pop()
  if (cursor === undefined && page > 2) return undefined
  const to = cursor === undefined ? {} : { cursor, page: String(page - 1), trail }
  return html`<a href="${link(context, to)}" rel="prev">Previous page</a>`
}

function pageAfter(query: URLSearchParams, page: number | undefined, next: string): Position {
  if (page === undefined) return { cursor: next }
  const trail = [...query.getAll("trail"), ...query.getAll("cursor").slice(0, 1)].slice(-trailMax.cursors)
  while (trail.join("").length > trailMax.characters) trail.shift()
  return { cursor: next, page: String(page + 1), trail }
}

type Position = { cursor?: string; page?: string; trail?: readonly string[]; limit?: string }

/** Parameters that say where in a list a page is. */
const positions = ["cursor", "page", "trail"]

function link({ root, path, query }: PageContext, { trail = [], ...position }: Position): string {
  const params = new URLSearchParams([...query].filter(([name, value]) => !positions.includes(name) && value !== ""))
  for (const [name, value] of Object.entries(position)) params.set(name, value)
  for (const cursor of trail) params.append("trail", cursor)
  if (params.get("limit") === String(pageSizes[0])) params.delete("limit")
  return params.size > 0 ? `${root}${path}?${params}` : `${root}${path}`
}
