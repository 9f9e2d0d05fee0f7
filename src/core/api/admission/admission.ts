import type { Caller } from "../../domain/accounts/model.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { timed } from "../../server/exchange/timed.ts"
import type { HttpContext } from "../../server/http-context.ts"
import type { IpRateLimit } from "../../server/limits/ip-rate-limit.ts"
import { type Authenticate, bearerChallenge, challenges } from "../authentication/authenticate.ts"
import type { Principal } from "../authentication/principal-cache.ts"
import type { AccountQuota } from "./account-quota.ts"

/** What an operation demands of its caller. */
type Demands = Pick<Endpoint, "scope" | "cost" | "paged" | "hashesPassword">

/** Throws unless the caller may run the operation. */
export type Admit = (exchange: Exchange<Caller>, demands: Demands) => Awaitable<void>

/**
 * Authenticates again, for work that outlives the admission of its request or belongs to another request. Counts
 * nothing. Throws the problem when the credential is invalid or lacks the scope.
 */
type Readmit = (
  by: { request: Pick<Exchange["request"], "headers" | "socket">; address: string },
  endpoint: Endpoint,
) => Promise<Principal>

export type Admission = {
  admit: Admit
  /** The same for a visitor whom a page has identified already. The form or the download counts against the plan, not each call. */
  admitKnown(known: Pick<Exchange<Caller>, "caller" | "address">, endpoint: Endpoint): Awaitable<void>
  readmit: Readmit
}

/** `metadataUrl` is the address of the metadata of the protected resource. */
export function createAdmission(
  authenticate: Authenticate,
  { limitAccount }: AccountQuota,
  { limitAddress, unread }: Pick<HttpContext, "limitAddress" | "unread">,
  metadataUrl: () => string,
): Admission {
  const { requireUnreadBudget } = unread

  function admitAnonymous({ address }: Pick<Exchange, "address">, endpoint: Demands): Awaitable<void> {
    const limiting = limitAddress("anonymous", address)
    return endpoint.hashesPassword ? andThen(address, limiting, () => limitAddress("password", address)) : limiting
  }

  function admitCaller(exchange: Exchange<Caller>, endpoint: Demands): Awaitable<void> {
    let finding: Awaitable<Principal>
    try {
      finding = timed(exchange, "auth", identify)
    } catch (error) {
      return refuse(exchange, error)
    }
    if (!(finding instanceof Promise)) return accept(exchange, endpoint, finding)
    return finding.then(
      (principal) => accept(exchange, endpoint, principal),
      (error) => refuse(exchange, error),
    )
  }

  const identify = ({ request, address }: Exchange) => authenticate(request, address)

  function accept(exchange: Exchange<Caller>, endpoint: Demands, { caller, ending }: Principal): Awaitable<void> {
    exchange.caller = caller
    for (const name in ending) exchange.header(name, ending[name] as string)
    if (endpoint.cost === 0) return requireScope(exchange, endpoint)
    // Checked before the request is counted, because it is refused.
    if (endpoint.paged) requireUnreadBudget(exchange)
    const limiting = limitAccount(exchange)
    return limiting instanceof Promise
      ? limiting.then(() => requireScope(exchange, endpoint))
      : requireScope(exchange, endpoint)
  }

  async function refuse(exchange: Exchange, error: unknown): Promise<never> {
    if (!(error instanceof Problem) || error.code !== "unauthorized") throw error
    return refuseCredential(exchange, error, limitAddress, metadataUrl())
  }

  function requireScope({ caller }: Pick<Exchange<Caller>, "caller">, { scope }: Demands): void {
    if ((scope === "any" && caller) || (caller?.scopes as ReadonlySet<string> | undefined)?.has(scope)) return
    throw scopeMissing(scope, metadataUrl())
  }

  /**
   * Admits a caller with a valid credential, capacity in the plan and the scope; or, for an open endpoint, an anonymous
   * client within the limit of its address.
   */
  const admit: Admit = (exchange, endpoint) =>
    endpoint.scope === "open" ? admitAnonymous(exchange, endpoint) : admitCaller(exchange, endpoint)

  const readmit: Readmit = async ({ request, address }, endpoint) => {
    try {
      const principal = await authenticate(request, address)
      requireScope(principal, endpoint)
      return principal
    } catch (error) {
      throw error instanceof Problem && error.code === "unauthorized"
        ? error.withHeaders(challengeTo(request, metadataUrl()))
        : error
    }
  }

  return {
    admit,
    admitKnown: (known, endpoint) =>
      endpoint.scope === "open" ? admitAnonymous(known, endpoint) : requireScope(known, endpoint),
    readmit,
  }
}

/** Throws the 401 with its challenges and counts it against the address, or throws the 429 of an address with too many. */
export async function refuseCredential(
  { request, address }: Pick<Exchange, "request" | "address">,
  refusal: Problem,
  limitAddress: IpRateLimit,
  metadataUrl: string,
): Promise<never> {
  const { authorization, api_key: key } = request.headers
  await limitAddress(authorization || key ? "failed" : "anonymous", address)
  throw refusal.withHeaders(challengeTo(request, metadataUrl))
}

/** The `WWW-Authenticate` header of a 401. */
export const challengeTo = ({ headers }: Pick<Exchange["request"], "headers">, metadataUrl: string) => ({
  "www-authenticate": challenges(metadataUrl, headers.authorization && ', error="invalid_token"'),
})

/** The 403 for a valid credential without the scope. */
export const scopeMissing = (scope: string, metadataUrl: string): Problem =>
  new Problem("forbidden", `This operation needs the scope ${scope}, which the credential was not given`, {
    headers: { "www-authenticate": bearerChallenge(metadataUrl, `, error="insufficient_scope", scope="${scope}"`) },
  })
