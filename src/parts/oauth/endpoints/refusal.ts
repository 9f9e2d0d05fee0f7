import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"

/** Errors of RFC 6749 section 5.2, and those of a server that cannot respond now, in the words of oidc-provider. */
const errors = {
  invalid_request: { status: 400, description: "request is invalid" },
  invalid_client: { status: 401, description: "client authentication failed" },
  invalid_grant: { status: 400, description: "grant request is invalid" },
  unauthorized_client: { status: 400, description: "requested grant type is not allowed for this client" },
  unsupported_grant_type: { status: 400, description: "unsupported grant_type requested" },
  invalid_scope: { status: 400, description: "requested scope is not allowed" },
  too_many_requests: { status: 429, description: "too many requests; try again later" },
  server_error: { status: 500, description: "oops! something went wrong" },
  temporarily_unavailable: { status: 503, description: "storage did not respond; try again" },
}
export type ErrorName = keyof typeof errors

export const errorStatus = (name: ErrorName): number => errors[name].status

/** Refuses a request as oidc-provider does, without asking it; `issuer` is the realm of the challenge. */
export function refuseRequest(
  issuer: string,
  { request }: Exchange,
  name: string,
  retryAfter: string | undefined,
): HttpResponse {
  const { status, description } = errors[name as ErrorName]
  const isChallenged = status === 401 && request.headers.authorization !== undefined
  const challenge = `Basic realm="${issuer}", error="${name}", error_description="${description}"`
  return {
    status,
    headers: [
      "content-type",
      "application/json; charset=utf-8",
      "cache-control",
      "no-store",
      ...(isChallenged ? ["www-authenticate", challenge] : []),
      ...(retryAfter === undefined ? [] : ["retry-after", retryAfter]),
    ],
    body: JSON.stringify({ error: name, error_description: description }),
  }
}
