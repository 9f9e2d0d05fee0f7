import type { ExternalIssuer } from "../api/authentication/external-issuer.ts"
import { problemExample } from "../api/openapi/problem-example.ts"
import type { Api } from "../api/operations/api.ts"
import type { NamedSandboxes } from "../api/sandbox/named.ts"
import type { ApiContract } from "../domain/api.ts"
import type { Sealing } from "../domain/ports/sealing.ts"
import type { Invalidation } from "../domain/ports/signals.ts"
import { namedSandboxesPath } from "../kernel/network/path.ts"
import type { Router } from "../server/exchange/router.ts"
import type { HttpContext } from "../server/http-context.ts"
import { addOAuth } from "./oauth-server/mount.ts"
import { type DiscoveryDeps, discoveryPages } from "./pages/discovery.ts"
import type { SamplePerson } from "./pages/oauth/sign-in-page.ts"
import { createPages } from "./pages/pages.ts"
import { redirectPermanently } from "./pages/redirect.ts"
import type { Site } from "./pages/site.ts"
import { consoleCookies } from "./serving/cookies.ts"
import { addPages } from "./serving/pages.ts"
import type { About } from "./serving/service.ts"
import { addEntrance, addStore } from "./serving/store.ts"
import { personFinder } from "./serving/visitor.ts"
import { createWebhookReceivers, receiverPath } from "./serving/webhook-receiver.ts"

export type SiteDeps = VisitorPages & {
  http: HttpContext
  sealing: Sealing
  signals: Invalidation
  externalIssuer: ExternalIssuer | undefined
} & Pick<DiscoveryDeps, "securityContact">

type VisitorPages = {
  http: Pick<HttpContext, "respondNotFound">
  api: Api
  /** Undefined for the pages of a named sandbox. */
  sandboxes: NamedSandboxes | undefined
  /** The public credentials of a sandbox. */
  samples: Pick<Site, "knownKeys" | "docsClientId"> & {
    samplePeople: readonly SamplePerson[]
  }
  contract: ApiContract
  descriptions: Site["descriptions"]
  about: About
}

/** Adds the authorization server and the pages for people. */
export async function addSite(router: Router, deps: SiteDeps): Promise<void> {
  const { http, api, sealing, signals, externalIssuer, samples } = deps
  const { store, clock, log, passwords, attempts, publicUrl, targets } = api.ports
  const { limitAddress } = http
  const { knownKeys, samplePeople } = samples
  await addOAuth(router, {
    store,
    clock,
    log,
    passwords,
    attempts,
    targets,
    publicUrl,
    siteUrl: publicUrl,
    limitAddress,
    sealing,
    signals,
    externalIssuer,

    hasKnownKeys: knownKeys.length > 0,
    samplePeople,
  })
  addVisitorPages(router, deps)
  const { descriptions, securityContact } = deps
  addPages(router, discoveryPages({ descriptions, publicUrl, now: clock.now, securityContact }), http.respondNotFound)
}

/** Adds the pages for people: the console, the reference, the pages of errors, and the store. */
export function addVisitorPages(router: Router, deps: VisitorPages): void {
  const { api, about, samples, sandboxes, contract, descriptions, http } = deps
  const { publicUrl, clock } = api.ports
  const { knownKeys, docsClientId, samplePeople } = samples
  const [known] = knownKeys
  const receivers = sandboxes && known && createWebhookReceivers(api.ports)
  const cookies = consoleCookies(publicUrl, clock.now)
  const findPerson = personFinder(api, cookies, samplePeople)
  // Loaded with its first request: that takes a tenth of a start, and many services never need it.
  router.addPart("/console", async () => {
    const { consoleRoutes } = await import("./serving/routes.ts")
    const knownKey = known?.secret
    return consoleRoutes({ api, about, cookies, findPerson, samplePeople, sandboxes, receivers, knownKey })
  })
  const { version, imageOrigin, sandbox, hasPublicStore: hasStore } = about
  const pages = createPages({
    api: contract,
    descriptions,
    problemExample,
    version,
    sandbox,
    hasStore,
    publicUrl,
    knownKeys,
    docsClientId,
  })
  const { respondNotFound } = http
  if (sandboxes && known)
    router.add(["GET"], `${namedSandboxesPath}:name`, {
      admission: "files",
      handle: ({ params }) => redirectPermanently(`./${params.name}/`),
    })
  if (receivers) router.add(["POST"], `${receiverPath}/:accountId`, { admission: "files", handle: receivers.handle })
  addPages(router, pages, respondNotFound)
  if (hasStore) {
    const shop = { version, publicUrl, knownKeys, samplePeople, imageOrigin, sandbox }
    addStore(router, { shop, api, findPerson, knownKey: known?.secret, respondNotFound })
  } else addEntrance(router)
}
