import type { ProblemCode } from "../../core/domain/problems/problems.ts"
import type { Router } from "../../core/server/exchange/router.ts"
import { type Asset, consoleScript, consoleStyle, storeScript } from "./pages/assets.ts"
import { findDrawing } from "./pages/drawings.ts"
import type { Header } from "./pages/header.ts"
import { favicon } from "./pages/paw.ts"
import { problemIndex, problemPage } from "./pages/problem-pages.ts"
import { addPages, type Serving, type SitePage } from "./serving/pages.ts"

type SitePages = Serving & {
  problemExample(code: ProblemCode): unknown
  header: Pick<Header, "hasStore" | "area">
  /** Static files of the pages of other parts. */
  furtherAssets(): Promise<readonly Asset[]>
}

/** Static files of the pages of other parts, by the router that has those pages. */
const assets = new WeakMap<Router, (() => Promise<readonly Asset[]>)[]>()

export const addAssets = (router: Router, load: () => Promise<readonly Asset[]>): void => {
  assets.set(router, [...(assets.get(router) ?? []), load])
}

export const assetsOf = async (router: Router): Promise<readonly Asset[]> =>
  (await Promise.all((assets.get(router) ?? []).map((load) => load()))).flat()

/** Adds the page of each problem type, the static files and the icon. */
export function addSitePages(router: Router, { problemExample, header, furtherAssets, ...serving }: SitePages): void {
  const pages: readonly SitePage[] = [
    { path: "/problems", respond: () => problemIndex(header) },
    {
      path: "/problems/:code",
      respond: ({ params }) => problemPage(params.code ?? "", { ...header, problemExample }),
    },
    {
      path: "/assets/:name",
      async respond({ params, acceptsGzip }) {
        const find = (assets: readonly Asset[]) => assets.find(({ name }) => name === params.name)
        const own = find([consoleStyle, consoleScript, storeScript]) ?? findDrawing(params.name)
        const asset = own ?? find(await furtherAssets())
        return asset?.respond(acceptsGzip)
      },
    },
    ...["/favicon.svg", "/favicon.ico"].map((path) => ({ path, respond: () => favicon })),
  ]
  addPages(router, pages, serving)
}
