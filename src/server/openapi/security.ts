import type { ProblemCode } from "../../domain/problems.ts"
import type { Scope } from "../../domain/scopes.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"

export const securitySchemes = {
  api_key: { type: "apiKey", in: "header", name: "api_key", description: "An API key of an account" },
  session: { type: "http", scheme: "bearer", description: "The token that `POST /user/login` answers" },
}

/** What an endpoint asks of the caller: any one of these credentials, with the scope as the role it must bring. */
export const securityOf = ({ scope }: Endpoint<Scope, ProblemCode>) => {
  if (scope === "open") return []
  const needed = scope === "any" ? [] : [scope]
  return [{ api_key: needed }, { session: needed }]
}
