import type { Api } from "../../core/api/operations/api.ts"
import type { Exchange } from "../../core/server/exchange/exchange.ts"
import type { Asset } from "./pages/assets.ts"
import type { Surrounded } from "./pages/frame.ts"
import { type SiteLink, visitorPart } from "./pages/header.ts"
import type { Markup } from "./pages/html.ts"
import type { SamplePerson } from "./sample-person.ts"
import type { SiteFinder } from "./search/found.ts"
import { type ConsoleCookies, consoleCookies } from "./serving/cookies.ts"
import { type Visitor, visitorFinder } from "./serving/visitor.ts"

/** What the pages of a store share. Each part adds its own links and files. */
export type Site = {
  /** The name of the store; undefined for the main one. */
  area: string | undefined
  /** Adds a link to the header, behind those of the parts before. */
  addLink(link: SiteLink): void
  links(): readonly SiteLink[]
  /** Loads static files besides those of the site. */
  assets: (() => Promise<readonly Asset[]>)[]
  /** What the page at `/` shows above its content, in paragraphs, of the pages of other parts. */
  introductions: (() => Markup | undefined)[]
  /** What the search finds, in the order of the parts. */
  finders: SiteFinder[]
  cookies: ConsoleCookies
  /** Undefined when no person is signed in. */
  findVisitor(exchange: Exchange): Promise<Visitor | undefined>
  /** Whether a link of the header leads to this path. */
  has(path: SiteLink["path"]): boolean
}

const errors: SiteLink = { name: "Errors", path: "/problems" }

type SiteStore = Pick<Site, "area"> & {
  api: Pick<Api, "authenticate" | "ports">
  samplePeople: readonly SamplePerson[]
}

export function createSite({ api, area, samplePeople }: SiteStore): Site {
  const cookies = consoleCookies(api.ports.publicUrl, api.ports.clock.now)
  const added: SiteLink[] = []
  return {
    area,
    addLink: (link) => void added.push(link),
    links: () => [...added, errors],
    assets: [],
    introductions: [],
    finders: [],
    cookies,
    findVisitor: visitorFinder(api, cookies, samplePeople),
    has: (path) => added.some((link) => link.path === path),
  }
}

/** What surrounds a page for this visitor; `root` leads from the page to the site's root. */
export const surround = ({ area, links, has }: Site, root: string, visitor: Visitor | undefined): Surrounded => ({
  root,
  area,
  links: links(),
  visitor: visitorPart(root, visitor, has("/console")),
  cacheControl: visitor ? "private, no-cache" : "no-cache",
  formTargets: ["'self'"],
  hasSearch: true,
})
