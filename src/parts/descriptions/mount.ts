import type { Description } from "../../core/assembly/description.ts"
import type { Router } from "../../core/server/exchange/router.ts"
import type { Asset } from "../site/pages/assets.ts"
import { addPages, type Serving } from "../site/serving/pages.ts"
import { descriptionPages } from "./pages/description.ts"
import { descriptionsPage } from "./pages/descriptions-page.ts"
import { openReference, type ReferenceSite } from "./pages/reference.ts"
import { resultsPage } from "./pages/results-page.ts"

type ReferencePages = Serving & { site: ReferenceSite; descriptions: readonly Description[] }

/** Adds the reference and the pages beside it; returns the static files that they need. */
export function addReference(
  router: Router,
  { site, descriptions, ...serving }: ReferencePages,
): () => Promise<readonly Asset[]> {
  const { respond, scripts } = openReference(site)
  const pages = [
    { path: "/docs", respond },
    { path: "/docs/descriptions", respond: () => descriptionsPage({ ...site, descriptions }) },
    { path: "/docs/results", respond: () => resultsPage(site) },
  ]
  addPages(router, pages, serving)
  return scripts
}

/** Adds the descriptions of the API. */
export const addDescriptions = (router: Router, descriptions: readonly Description[], serving: Serving): void =>
  addPages(router, descriptionPages(descriptions), serving)
