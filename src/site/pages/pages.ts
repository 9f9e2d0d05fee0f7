import { type Asset, consoleScript, consoleStyle, storeScript } from "./assets.ts"
import { findDrawing } from "./drawings.ts"
import { favicon } from "./paw.ts"
import { problemIndex, problemPage } from "./problem-pages.ts"
import { redirectPermanently } from "./redirect.ts"
import { descriptionPages } from "./reference/description.ts"
import { descriptionsPage } from "./reference/descriptions-page.ts"
import { openReference } from "./reference/reference.ts"
import { resultsPage } from "./reference/results-page.ts"
import type { Site, SitePage } from "./site.ts"

/** The reference, the page of each problem type, and the static files. */
export function createPages(site: Site): SitePage[] {
  const reference = openReference(site)

  return [
    ...descriptionPages(site.descriptions),
    { path: "/problems", respond: () => problemIndex(site) },
    { path: "/problems/:code", respond: ({ params }) => problemPage(params.code ?? "", site) },
    { path: "/docs", respond: reference.respond },
    { path: "/docs/descriptions", respond: () => descriptionsPage(site) },
    { path: "/docs/results", respond: () => resultsPage(site) },
    {
      path: "/assets/:name",
      async respond({ params, acceptsGzip }) {
        const find = (assets: readonly Asset[]) => assets.find(({ name }) => name === params.name)
        const own = find([consoleStyle, consoleScript, storeScript]) ?? findDrawing(params.name)
        const asset = own ?? find(await reference.scripts())
        return asset?.respond(acceptsGzip)
      },
    },
    ...["/favicon.svg", "/favicon.ico"].map((path) => ({ path, respond: () => favicon })),
    ...["/docs", "/problems"].map((path) => ({ path: `${path}/`, respond: () => redirectPermanently(`..${path}`) })),
  ]
}
