import type { Description } from "../api/descriptions/descriptions.ts"
import type { StoreApi } from "../api/operations/api.ts"
import { api as contract } from "../domain/api.ts"
import { Problem } from "../kernel/problem.ts"
import { version } from "../program.ts"
import type { Exchange } from "../server/exchange/exchange.ts"
import { createRouter, type Router } from "../server/exchange/router.ts"
import type { HttpContext } from "../server/http-context.ts"
import { addVisitorPages } from "./mounts.ts"
import { addSandboxOAuth, type OAuthDeps } from "./oauth-server/mount.ts"
import { descriptionPages } from "./pages/reference/description.ts"
import type { Site } from "./pages/site.ts"
import { addPages } from "./serving/pages.ts"

/** The descriptions of the API at an address of the service. */
export type Describe = (publicUrl: () => string) => readonly Description[]

type SandboxSiteDeps = {
  describe: Describe
  name: string
  http: Pick<HttpContext, "publicUrl" | "limitAddress" | "toProblem" | "respondNotFound">
  shared: {
    profile: Pick<OAuthDeps, "hasKnownKeys" | "samplePeople"> & Pick<Site, "knownKeys" | "docsClientId">
    config: { hasPublicStore: boolean }
  }
  api: StoreApi
  opened: Pick<OAuthDeps, "signals"> & {
    ports: Pick<OAuthDeps, "store" | "clock" | "log" | "passwords" | "attempts" | "targets" | "sealing" | "publicUrl">
  }
}

/** Adds what a named sandbox has besides its operations and images: its descriptions, its authorization server, and its pages. */
export function addSandboxSite(router: Router, deps: SandboxSiteDeps): void {
  const { http, shared, opened } = deps
  const { ports, signals } = opened
  const descriptions = deps.describe(ports.publicUrl)
  addPages(router, descriptionPages(descriptions), refuseOthers)
  const { publicUrl: siteUrl, limitAddress } = http
  addSandboxOAuth(router, { ...shared.profile, ...ports, signals, siteUrl, limitAddress, externalIssuer: undefined })
  let pages: Router | undefined
  // Made with the first request: programs need none of them.
  const open = async () => {
    pages ??= visitorPages(deps, descriptions)
    return pages
  }
  for (const path of pagePaths) router.addPart(path, open)
}

const pagePaths = ["/", "/pets", "/store", "/console", "/docs", "/problems", "/assets"]

function visitorPages({ name, http, shared, api }: SandboxSiteDeps, descriptions: Site["descriptions"]): Router {
  const router = createRouter()
  const { toProblem } = http
  addVisitorPages(router, {
    http,
    // A process has one count of requests, and is ready when its own store is.
    api: { ...api, toProblem, traffic: () => [], requireReady: async () => [] },
    sandboxes: undefined,
    samples: shared.profile,
    contract,
    descriptions,
    about: {
      version,
      sandbox: name,
      hasPublicStore: shared.config.hasPublicStore,
      imageOrigin: undefined,
      runsOn: {},
      lastBackup: () => undefined,
      metrics: [],
    },
  })
  return router
}

function refuseOthers({ path }: Exchange): never {
  throw new Problem("not-found", `There is no resource at ${path}`)
}
