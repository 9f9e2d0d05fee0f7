import { html, type Markup } from "../html.ts"

type Place = { root: string; path: string; query: URLSearchParams }

/** Links to the next page of a list and back to the first; `next` is the API's cursor. */
export function pager(place: Place, next: string | undefined): Markup | undefined {
  const isFirst = !place.query.has("cursor")
  if (isFirst && next === undefined) return undefined
  return html`<nav class="pager" aria-label="Pages">
${!isFirst && html`<a href="${withCursor(place, undefined)}">First page</a>`}
${next !== undefined && html`<a href="${withCursor(place, next)}" rel="next">Next page</a>`}
</nav>`
}

function withCursor({ root, path, query }: Place, cursor: string | undefined): string {
  const params = new URLSearchParams([...query].filter(([name, value]) => name !== "cursor" && value !== ""))
  if (cursor !== undefined) params.set("cursor", cursor)
  return params.size > 0 ? `${root}${path}?${params}` : `${root}${path}`
}
