import type { ProblemCode } from "../../core/domain/problems/problems.ts"
import type { Router } from "../../core/server/exchange/router.ts"
import { type Asset, consoleScript, consoleStyle, paletteScript, storeScript } from "./pages/assets.ts"
import { findDrawing } from "./pages/drawings.ts"
import { favicon } from "./pages/paw.ts"
import { problemIndex, problemPage } from "./pages/problem-pages.ts"
import { searchPage } from "./search/search-page.ts"
import { addPages, type Serving, type SitePage } from "./serving/pages.ts"
import { type Site, surround } from "./site.ts"

type SitePages = Serving & { problemExample(code: ProblemCode): unknown }

/** Adds the page of each problem type, the static files and the icon. */
export function addSitePages(router: Router, site: Site, { problemExample, ...serving }: SitePages): void {
  const pages: readonly SitePage[] = [
    {
      path: "/problems",
      respond: async ({ exchange, query }) =>
        problemIndex(surround(site, ".", await site.findVisitor(exchange)), new URLSearchParams(query).get("q") ?? ""),
    },
    {
      path: "/problems/:code",
      async respond({ exchange, params: { code = "" } }) {
        const frame = surround(site, "..", await site.findVisitor(exchange))
        return problemPage(frame, code, problemExample)
      },
    },
    { path: "/search", respond: ({ exchange }) => searchPage(site, exchange) },
    {
      path: "/assets/:name",
      async respond({ params, acceptsGzip }) {
        const find = (assets: readonly Asset[]) => assets.find(({ name }) => name === params.name)
        const own = find([consoleStyle, consoleScript, paletteScript, storeScript]) ?? findDrawing(params.name)
        const asset = own ?? find((await Promise.all(site.assets.map((load) => load()))).flat())
        return asset?.respond(acceptsGzip)
      },
    },
    ...["/favicon.svg", "/favicon.ico"].map((path) => ({ path, respond: () => favicon })),
  ]
  addPages(router, pages, serving)
}
