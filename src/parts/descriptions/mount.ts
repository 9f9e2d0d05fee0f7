import type { Description } from "../../core/assembly/description.ts"
import type { Router } from "../../core/server/exchange/router.ts"
import { addPages, type Serving, type SitePage } from "../site/serving/pages.ts"
import { type Site, surround } from "../site/site.ts"
import { descriptionPages } from "./pages/description.ts"
import { descriptionsPage } from "./pages/descriptions-page.ts"
import type { ReferencePage } from "./pages/reference.ts"
import { resultsPage } from "./pages/results-page.ts"

type ReferencePages = Serving & { site: Site; descriptions: readonly Description[] }

/** Adds the reference and the pages beside it. */
export function addReference(
  router: Router,
  reference: ReferencePage,
  { site, descriptions, ...serving }: ReferencePages,
): void {
  const beside = async ({ exchange }: Parameters<SitePage["respond"]>[0]) =>
    surround(site, "..", await site.findVisitor(exchange))
  const pages: readonly SitePage[] = [
    { path: "/docs", respond: ({ exchange }) => reference.respond(exchange) },
    { path: "/docs/descriptions", respond: async (request) => descriptionsPage(await beside(request), descriptions) },
    { path: "/docs/results", respond: async (request) => resultsPage(await beside(request)) },
  ]
  addPages(router, pages, serving)
}

/** Adds the descriptions of the API. */
export const addDescriptions = (router: Router, descriptions: readonly Description[], serving: Serving): void =>
  addPages(router, descriptionPages(descriptions), serving)
