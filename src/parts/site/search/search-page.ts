import type { Caller } from "../../../core/domain/accounts/model.ts"
import { problems } from "../../../core/domain/problems/problems.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { renderPage } from "../pages/frame.ts"
import { html } from "../pages/html.ts"
import { type Site, surround } from "../site.ts"
import { contains, type Found, foundSection, type SiteFinder } from "./found.ts"

const textMax = 255

/** The results of a search, from all parts; the palette of every page shows the same while a person types. */
export async function searchPage(site: Site, exchange: Exchange<Caller>): Promise<HttpResponse> {
  // It contains the token of the visitor's forms.
  exchange.isReadableAnywhere = false
  const text = (new URLSearchParams(exchange.query).get("q") ?? "").trim().slice(0, textMax)
  const visitor = await site.findVisitor(exchange)
  const finders = [pagesOf(site), ...site.finders, findErrors]
  const found = await Promise.all(finders.map((find) => find({ exchange, visitor, root: "." }, text)))
  const sections = merged(found.flat())
  return renderPage({
    ...surround(site, ".", visitor),
    title: "Search · Petstore",
    main: html`
<h1>${text === "" ? "Search" : html`Results for “${text}”`}</h1>
<form class="search" role="search" method="get" action="./search">
<input type="search" name="q" value="${text}" maxlength="${textMax}" placeholder="A page, a pet, an order…" aria-label="Text">
<button class="quiet">Search</button>
</form>
<div data-found>${sections.map(foundSection)}</div>
${sections.length === 0 && html`<p class="nothing">Nothing was found. ${advice}</p>`}
${text === "" && html`<p class="soft">${advice}</p>`}`,
  })
}

const advice =
  "Search for a page, a pet by its name or id, a category or a tag, an order by its id, an operation of the API, or the code of an error."

/** What several parts found of one kind is one section. */
const merged = (found: readonly Found[]): Found[] =>
  [...Map.groupBy(found, ({ title }) => title)]
    .map(([title, parts]) => ({ title, hits: parts.flatMap(({ hits }) => hits) }))
    .filter(({ hits }) => hits.length > 0)

const pagesOf =
  ({ links }: Site): SiteFinder =>
  ({ root }, text) => [
    {
      title: "Pages",
      hits: links()
        .filter(({ name }) => contains(text, name))
        .map(({ name, path }) => ({ label: name, note: "", href: root + path })),
    },
  ]

/** By code, title, or the whole status. */
const findErrors: SiteFinder = ({ root }, text) => [
  {
    title: "Errors",
    hits: Object.entries(problems)
      .filter(([code, { status, title }]) => text !== "" && (contains(text, code, title) || text === String(status)))
      .map(([code, { status, title }]) => ({
        label: code,
        note: `${status} ${title}`,
        href: `${root}/problems/${code}`,
      })),
  },
]
