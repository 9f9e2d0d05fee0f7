import type { HttpResponse } from "../kernel/network/http-response.ts"
import { basePath } from "../kernel/network/path.ts"
import { favicon } from "./animals.ts"
import { type Asset, consoleScript, consoleStyle, storeScript } from "./assets.ts"
import { problemIndex, problemPage } from "./problem-pages.ts"
import { openDescription } from "./reference/description.ts"
import { openReference } from "./reference/reference.ts"
import type { Site } from "./site.ts"

/** What a page may know of the request for it. */
type PageRequest = { params: Readonly<Record<string, string | undefined>>; acceptsGzip: boolean }

/** What GET shows at a path (`:name` stands for a parameter); undefined where there is nothing. */
export type Page = {
  path: string
  respond(request: PageRequest): HttpResponse | undefined | Promise<HttpResponse | undefined>
}

/** The descriptions of the interface, where clients look for them. */
export const descriptionPages = (describe: Site["describe"]): Page[] =>
  Object.entries(openDescription(describe)).map(([name, respond]) => ({
    path: `${basePath}/${name}`,
    respond: ({ acceptsGzip }) => respond(acceptsGzip),
  }))

/** The reference, a page behind every problem's `type`, and the files of all pages. */
export function createPages(site: Site): Page[] {
  const reference = openReference(site)

  return [
    ...descriptionPages(site.describe),
    { path: "/problems", respond: problemIndex },
    { path: "/problems/:code", respond: ({ params }) => problemPage(params.code ?? "", site) },
    { path: "/docs", respond: reference.respond },
    {
      path: "/assets/:name",
      async respond({ params, acceptsGzip }) {
        const find = (assets: readonly Asset[]) => assets.find(({ name }) => name === params.name)
        const asset = find([consoleStyle, consoleScript, storeScript]) ?? find(await reference.scripts())
        return asset?.respond(acceptsGzip)
      },
    },
    ...["/favicon.svg", "/favicon.ico"].map((path) => ({ path, respond: () => favicon })),
    ...["/docs", "/problems"].map((path) => ({ path: `${path}/`, respond: () => redirect(`..${path}`) })),
  ]
}

const redirect = (location: string): HttpResponse => ({ status: 308, headers: ["location", location], body: undefined })
