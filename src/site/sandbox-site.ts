import { sandboxDocuments } from "../api/openapi/descriptions.ts"
import { Problem } from "../kernel/problem.ts"
import type { Exchange } from "../server/exchange/exchange.ts"
import type { Router } from "../server/exchange/router.ts"
import type { HttpContext } from "../server/http-context.ts"
import { addSandboxOAuth, type OAuthDeps } from "./oauth-server/mount.ts"
import { descriptionPages } from "./pages/reference/description.ts"
import type { Site } from "./pages/site.ts"
import { addPages } from "./serving/pages.ts"

type SandboxSiteDeps = Pick<Site, "describe"> & {
  http: Pick<HttpContext, "publicUrl" | "limitAddress">
  profile: Pick<OAuthDeps, "hasKnownKeys" | "samplePeople">
  opened: Pick<OAuthDeps, "signals"> & {
    ports: Pick<OAuthDeps, "store" | "clock" | "log" | "passwords" | "attempts" | "sealing" | "publicUrl">
  }
}

/** Adds what a named sandbox has besides its operations and images: its descriptions, and its authorization server. */
export function addSandboxSite(router: Router, { http, profile, opened, describe }: SandboxSiteDeps): void {
  const { ports, signals } = opened
  addPages(router, descriptionPages(sandboxDocuments(describe, ports.publicUrl)), refuseOthers)
  const { publicUrl: siteUrl, limitAddress } = http
  addSandboxOAuth(router, { ...profile, ...ports, signals, siteUrl, limitAddress, externalIssuer: undefined })
}

function refuseOthers({ path }: Exchange): never {
  throw new Problem("not-found", `There is no resource at ${path}`)
}
