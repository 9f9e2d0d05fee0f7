import type { ProblemCode } from "../../domain/problems.ts"
import { type Scope, scopes } from "../../domain/scopes.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"

const tokenUrl = "/oauth/token"

export const securitySchemes = {
  api_key: { type: "apiKey", in: "header", name: "api_key", description: "An API key of an account" },
  session: { type: "http", scheme: "bearer", description: "The token that `POST /user/login` answers" },
  oauth2: {
    type: "oauth2",
    description: "An access token of the authorization server at /oauth, which its own metadata (RFC 8414) describes",
    flows: {
      authorizationCode: { authorizationUrl: "/oauth/auth", tokenUrl, refreshUrl: tokenUrl, scopes },
      clientCredentials: { tokenUrl, scopes },
    },
  },
}

/** What an endpoint asks of the caller: any one of these credentials, with the scope it must bring. */
export const securityOf = ({ scope }: Endpoint<Scope, ProblemCode>) => {
  if (scope === "open") return []
  const needed = scope === "any" ? [] : [scope]
  return [{ api_key: needed }, { session: needed }, { oauth2: needed }]
}
