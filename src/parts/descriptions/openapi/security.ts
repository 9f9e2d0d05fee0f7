import type { ProblemCode } from "../../../core/domain/problems/problems.ts"
import { type Scope, scopes } from "../../../core/domain/scopes.ts"
import type { Endpoint } from "../../../core/kernel/endpoint/endpoint.ts"

/** The security schemes; addresses are relative when the public one is empty. */
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

/** The credentials an endpoint accepts. Only OAuth lists scopes here; the description names them for all. */
export const securityOf = ({ scope }: Endpoint<Scope, ProblemCode>) => {
  if (scope === "open") return []
  return [{ api_key: [] }, { session: [] }, { oauth2: scope === "any" ? [] : [scope] }]
}
