import type { PartEndpoint } from "../../../core/api/operations/part-endpoint.ts"
import { oauthPath } from "../../../core/kernel/network/path.ts"
import { type ErrorName, errorStatus } from "./refusal.ts"
import { tokenFlaws } from "./spoil-tokens.ts"

/** An endpoint of oidc-provider below the mount: for browsers, or for programs with its errors. */
type Endpoint = { method: string; path: string } & (
  | { isForBrowsers: true }
  | { isForBrowsers?: never; errors: readonly ErrorName[]; flaws: readonly string[] }
)

const ofClient = ["invalid_request", "invalid_client"] as const
const ofServer = ["too_many_requests", "server_error", "temporarily_unavailable"] as const
const ofGrant = ["invalid_grant", "unauthorized_client", "unsupported_grant_type", "invalid_scope"] as const

/** The endpoints of oidc-provider. It responds to every other path and method with text. */
export const endpoints: readonly Endpoint[] = [
  { method: "GET", path: "/auth", isForBrowsers: true },
  { method: "GET", path: "/auth/:uid", isForBrowsers: true },
  { method: "POST", path: "/token", errors: [...ofClient, ...ofGrant, ...ofServer], flaws: tokenFlaws },
  { method: "POST", path: "/token/introspection", errors: [...ofClient, ...ofServer], flaws: [] },
  { method: "POST", path: "/token/revocation", errors: [...ofClient, ...ofServer], flaws: [] },
  { method: "GET", path: "/jwks", errors: ofServer, flaws: ["unpublished-key"] },
  // When another person signs in at the same browser, the earlier sign-in ends here.
  { method: "POST", path: "/session/end/confirm", isForBrowsers: true },
]

/** Those that programs call. */
export const programEndpoints: readonly PartEndpoint[] = endpoints.flatMap((endpoint) =>
  endpoint.isForBrowsers
    ? []
    : {
        path: oauthPath + endpoint.path,
        errors: Object.fromEntries(endpoint.errors.map((name) => [name, errorStatus(name)])),
        flaws: endpoint.flaws,
      },
)
