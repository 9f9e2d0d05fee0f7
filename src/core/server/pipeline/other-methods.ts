import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange, Resource } from "../exchange/exchange.ts"

/** Responds to a method that the resource does not support: 405 with `Allow`, or the 204 of a preflight. */
export function respondToOtherMethod(exchange: Exchange): HttpResponse {
  const { method, path, request } = exchange
  const { allow } = exchange.resource as Resource
  if (method !== "OPTIONS")
    throw new Problem("method-not-allowed", `${path} supports ${allow}, not ${method}`, { headers: { allow } })
  const headers = request.headers["access-control-request-headers"] ?? "*"
  return {
    status: 204,
    headers: [
      "allow",
      allow,
      "access-control-allow-methods",
      allow,
      "access-control-allow-headers",
      headers,
      "access-control-max-age",
      "86400",
    ],
    body: undefined,
  }
}
