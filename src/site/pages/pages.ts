import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { type Asset, consoleScript, consoleStyle, storeScript } from "./assets.ts"
import { findDrawing } from "./drawings.ts"
import { favicon } from "./paw.ts"
import { problemIndex, problemPage } from "./problem-pages.ts"
import { descriptionPages } from "./reference/description.ts"
import { openReference } from "./reference/reference.ts"
import type { Site, SitePage } from "./site.ts"

/** The reference, the page of each problem type, and the static files. */
export function createPages(site: Site): SitePage[] {
  const reference = openReference(site)

  return [
    ...descriptionPages(site.describe),
    { path: "/problems", respond: () => problemIndex(site) },
    { path: "/problems/:code", respond: ({ params }) => problemPage(params.code ?? "", site) },
    { path: "/docs", respond: reference.respond },
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
    ...["/docs", "/problems"].map((path) => ({ path: `${path}/`, respond: () => redirect(`..${path}`) })),
  ]
}

const redirect = (location: string): HttpResponse => ({ status: 308, headers: ["location", location], body: undefined })
