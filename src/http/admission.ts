import { type Awaitable, andThen } from "../kernel/awaitable.ts"
import type { Endpoint } from "../kernel/endpoint.ts"
import { Problem } from "../kernel/problem.ts"
import { bearerChallenge, challenges } from "./authentication/authenticate.ts"
import type { Principal } from "./authentication/principal-cache.ts"
import type { Exchange } from "./exchange.ts"
import type { IpRateLimit } from "./rate-limiting/ip-rate-limit.ts"

type AdmissionParts = {
  authenticate(request: Exchange["request"], address: string): Awaitable<Principal>
  limitAddress: IpRateLimit
  limitAccount(exchange: Exchange): Awaitable<void>
  publicUrl(): string
}

/** Who may begin an operation: known by a credential that holds, within the plan, with the scope; or anybody, in turn. */
export type Admit = (exchange: Exchange, endpoint: Endpoint) => Awaitable<void>

export function admission({ authenticate, limitAddress, limitAccount, publicUrl }: AdmissionParts): Admit {
  function admitStranger({ address }: Exchange, endpoint: Endpoint): Awaitable<void> {
    const limiting = limitAddress("anonymous", address)
    return endpoint.hashesPassword ? andThen(address, limiting, () => limitAddress("password", address)) : limiting
  }

  function admitCaller(exchange: Exchange, endpoint: Endpoint): Awaitable<void> {
    const { request, address } = exchange
    let finding: Awaitable<Principal>
    try {
      finding = authenticate(request, address)
    } catch (error) {
      return refuse(exchange, error)
    }
    if (!(finding instanceof Promise)) return accept(exchange, endpoint, finding)
    return finding.then(
      (principal) => accept(exchange, endpoint, principal),
      (error) => refuse(exchange, error),
    )
  }

  function accept(exchange: Exchange, endpoint: Endpoint, { caller, ending }: Principal): Awaitable<void> {
    exchange.caller = caller
    for (const name in ending) exchange.header(name, ending[name] as string)
    if (endpoint.cost === 0) return requireScope(exchange, endpoint)
    const limiting = limitAccount(exchange)
    return limiting instanceof Promise
      ? limiting.then(() => requireScope(exchange, endpoint))
      : requireScope(exchange, endpoint)
  }

  async function refuse({ request, address }: Exchange, error: unknown): Promise<never> {
    if (!(error instanceof Problem)) throw error
    const { authorization, api_key: key } = request.headers
    await limitAddress(authorization || key ? "failed" : "anonymous", address)
    const challenge = challenges(publicUrl(), authorization && ', error="invalid_token"')
    throw error.withHeaders({ "www-authenticate": challenge })
  }

  function requireScope({ caller }: Exchange, { scope }: Endpoint): void {
    if (scope === "any" || (caller?.scopes as ReadonlySet<string> | undefined)?.has(scope)) return
    throw new Problem("forbidden", `This operation needs the scope ${scope}, which the credential was not given`, {
      headers: {
        "www-authenticate": bearerChallenge(publicUrl(), `, error="insufficient_scope", scope="${scope}"`),
      },
    })
  }

  return (exchange, endpoint) =>
    endpoint.scope === "open" ? admitStranger(exchange, endpoint) : admitCaller(exchange, endpoint)
}
