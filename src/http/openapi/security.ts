import type { ProblemCode } from "../../domain/problems/problems.ts"
import { type Scope, scopes } from "../../domain/scopes.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"

/** How callers identify themselves; the addresses are relative where the public one is empty. */
export function securitySchemesAt(publicUrl: string) {
  const tokenUrl = `${publicUrl}/oauth/token`
  return {
    api_key: { type: "apiKey", in: "header", name: "api_key", description: "An API key of an account" },
    session: { type: "http", scheme: "bearer", description: "The token that `POST /user/login` returns" },
    oauth2: {
      type: "oauth2",
      description: "An access token of the authorization server at /oauth, which its own metadata (RFC 8414) describes",
      flows: {
        authorizationCode: { authorizationUrl: `${publicUrl}/oauth/auth`, tokenUrl, refreshUrl: tokenUrl, scopes },
        clientCredentials: { tokenUrl, scopes },
      },
    },
  }
}

/** What an endpoint asks of the caller: any one of these. Only OAuth names scopes here, the description does for all. */
export const securityOf = ({ scope }: Endpoint<Scope, ProblemCode>) => {
  if (scope === "open") return []
  return [{ api_key: [] }, { session: [] }, { oauth2: scope === "any" ? [] : [scope] }]
}
