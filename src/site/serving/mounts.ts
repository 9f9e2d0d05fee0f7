import type { ExternalIssuer } from "../../api/authentication/external-issuer.ts"
import { problemExample } from "../../api/openapi/problem-example.ts"
import type { Operating } from "../../api/operations/operating.ts"
import type { NamedSandboxes } from "../../api/sandbox/named.ts"
import type { Api } from "../../domain/api.ts"
import type { Sealing } from "../../domain/ports/sealing.ts"
import type { Invalidation } from "../../domain/ports/signals.ts"
import type { Router } from "../../server/pipeline/router.ts"
import type { Serving } from "../../server/serving.ts"
import { addOAuth } from "../oauth-server/mount.ts"
import type { SamplePerson } from "../pages/oauth/sign-in-page.ts"
import { createPages } from "../pages/pages.ts"
import type { Site } from "../pages/site.ts"
import { addPages } from "./pages.ts"
import type { About } from "./service.ts"
import { addEntrance, addStore } from "./store.ts"

export type SiteDeps = {
  serving: Serving
  operating: Operating
  sealing: Sealing
  signals: Invalidation
  sandboxes: NamedSandboxes
  externalIssuer: ExternalIssuer | undefined
  /** The public credentials of a sandbox. */
  samples: Pick<Site, "knownKeys" | "docsClientId"> & {
    samplePeople: readonly SamplePerson[]
  }
  api: Api
  describe: Site["describe"]
  about: About
  hasPublicStore: boolean
}

/** Adds all pages: the authorization server, the console, the reference, the pages of problems, and the store. */
export async function addSite(router: Router, deps: SiteDeps): Promise<void> {
  const { serving, operating, sealing, signals, externalIssuer, samples, about } = deps
  const { store, clock, log, passwords, attempts, publicUrl } = operating.ports
  const { limitAddress, respondNotFound } = serving
  const { knownKeys, docsClientId, samplePeople } = samples
  await addOAuth(router, {
    ...{ store, clock, log, passwords, attempts, publicUrl, limitAddress, sealing, signals, externalIssuer },
    ...{ hasKnownKeys: knownKeys.length > 0, samplePeople },
  })
  // Loaded with its first request: that takes a tenth of a start, and many services never need it.
  router.addPart("/console", async () => {
    const { consoleRoutes } = await import("./routes.ts")
    return consoleRoutes({ operating, about, samplePeople, sandboxes: deps.sandboxes, knownKey: knownKeys[0]?.secret })
  })
  const { api, describe } = deps
  const { version, imageOrigin } = about
  const pages = createPages({ api, describe, problemExample, version, publicUrl, knownKeys, docsClientId })
  addPages(router, pages, respondNotFound)
  if (!deps.hasPublicStore) return addEntrance(router)
  const shop = { version, publicUrl, knownKeys, imageOrigin }
  addStore(router, { shop, operating, knownKey: knownKeys[0]?.secret, respondNotFound })
}
