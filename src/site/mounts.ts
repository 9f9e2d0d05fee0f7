import type { ExternalIssuer } from "../api/authentication/external-issuer.ts"
import { problemExample } from "../api/openapi/problem-example.ts"
import type { Api } from "../api/operations/api.ts"
import type { NamedSandboxes } from "../api/sandbox/named.ts"
import type { ApiContract } from "../domain/api.ts"
import type { Sealing } from "../domain/ports/sealing.ts"
import type { Invalidation } from "../domain/ports/signals.ts"
import type { Router } from "../server/exchange/router.ts"
import type { HttpContext } from "../server/http-context.ts"
import { addOAuth } from "./oauth-server/mount.ts"
import type { SamplePerson } from "./pages/oauth/sign-in-page.ts"
import { createPages } from "./pages/pages.ts"
import type { Site } from "./pages/site.ts"
import { consoleCookies } from "./serving/cookies.ts"
import { addPages } from "./serving/pages.ts"
import type { About } from "./serving/service.ts"
import { addEntrance, addStore } from "./serving/store.ts"
import { personFinder } from "./serving/visitor.ts"

export type SiteDeps = {
  http: HttpContext
  api: Api
  sealing: Sealing
  signals: Invalidation
  sandboxes: NamedSandboxes
  externalIssuer: ExternalIssuer | undefined
  /** The public credentials of a sandbox. */
  samples: Pick<Site, "knownKeys" | "docsClientId"> & {
    samplePeople: readonly SamplePerson[]
  }
  contract: ApiContract
  describe: Site["describe"]
  about: About
}

/** Adds all pages: the authorization server, the console, the reference, the pages of problems, and the store. */
export async function addSite(router: Router, deps: SiteDeps): Promise<void> {
  const { http, api, sealing, signals, externalIssuer, samples, about } = deps
  const { store, clock, log, passwords, attempts, publicUrl } = api.ports
  const { limitAddress, respondNotFound } = http
  const { knownKeys, docsClientId, samplePeople } = samples
  await addOAuth(router, {
    store,
    clock,
    log,
    passwords,
    attempts,
    publicUrl,
    siteUrl: publicUrl,
    limitAddress,
    sealing,
    signals,
    externalIssuer,

    hasKnownKeys: knownKeys.length > 0,
    samplePeople,
  })
  const cookies = consoleCookies(publicUrl, clock.now)
  const findPerson = personFinder(api, cookies, samplePeople)
  // Loaded with its first request: that takes a tenth of a start, and many services never need it.
  router.addPart("/console", async () => {
    const { consoleRoutes } = await import("./serving/routes.ts")
    const { sandboxes } = deps
    return consoleRoutes({ api, about, cookies, findPerson, samplePeople, sandboxes, knownKey: knownKeys[0]?.secret })
  })
  const { contract, describe } = deps
  const { version, imageOrigin, hasPublicStore: hasStore } = about
  const pages = createPages({
    api: contract,
    describe,
    problemExample,
    version,
    hasStore,
    publicUrl,
    knownKeys,
    docsClientId,
  })
  addPages(router, pages, respondNotFound)
  if (!hasStore) return addEntrance(router)
  const shop = { version, publicUrl, knownKeys, imageOrigin }
  addStore(router, { shop, api, findPerson, knownKey: knownKeys[0]?.secret, respondNotFound })
}
