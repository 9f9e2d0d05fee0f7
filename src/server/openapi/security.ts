import type { ProblemCode } from "../../domain/problems.ts"
import type { Scope } from "../../domain/scopes.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"

export const securitySchemes = {
  api_key: { type: "apiKey", in: "header", name: "api_key", description: "An API key of an account" },
}

/** What an endpoint asks of the caller: any one of these credentials, with the scope as the role it must bring. */
export const securityOf = ({ scope }: Endpoint<Scope, ProblemCode>) =>
  scope === "open" ? [] : [{ api_key: scope === "any" ? [] : [scope] }]
