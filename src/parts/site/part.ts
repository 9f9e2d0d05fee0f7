import { problemExample } from "../../core/api/problems/problem-example.ts"
import type { Part, ServedStore } from "../../core/assembly/part.ts"
import { addSitePages } from "./mount.ts"
import { notFoundPage, refusedPage } from "./pages/problem-pages.ts"
import { createSite, type Site, surround } from "./site.ts"

const sites = new WeakMap<ServedStore, Site>()

/** What the pages of a store share, to which other parts add theirs. */
export function siteOf(served: ServedStore): Site {
  const { api, name, shared } = served
  const site = sites.get(served) ?? createSite({ api, area: name, samplePeople: shared.samples.samplePeople })
  sites.set(served, site)
  return site
}

/** What the pages of other parts share: the frame, the style and static files; and the pages of problems. */
export const sitePart: Part = {
  name: "site",
  open() {
    let main: Site | undefined
    return {
      async notFoundPage(exchange) {
        const frame = main && surround(main, "", await main.findVisitor(exchange))
        return notFoundPage({ root: "", ...frame }, exchange.path)
      },
      problemPage: ({ mount, id }, problem) =>
        refusedPage({ root: mount.prefix, links: main?.links() ?? [] }, problem, id),
      openStore: () => ({
        pages: {
          paths: ["/problems", "/search", "/assets", "/favicon.svg", "/favicon.ico"],
          add(router, served) {
            const site = siteOf(served)
            if (served.name === undefined) main = site
            const { respondNotFound } = served.http
            addSitePages(router, site, { problemExample, respondNotFound, isPage: true })
          },
        },
      }),
    }
  },
}
