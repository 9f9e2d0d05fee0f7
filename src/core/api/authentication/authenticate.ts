import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import type { Ports } from "../../domain/ports/ports.ts"
import type { Invalidation } from "../../domain/ports/signals.ts"
import type { Clock } from "../../kernel/clock.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Lookups } from "../../server/metrics.ts"
import { tokenReader } from "./access-token.ts"
import { accountHeader, actForAccount } from "./acting-account.ts"
import { principalOfKey, requireKeyForm } from "./api-key.ts"
import type { ExternalIssuer } from "./external-issuer.ts"
import type { KeyUses } from "./key-usage.ts"
import { createPrincipalCache, type Principal } from "./principal-cache.ts"

/**
 * The challenge for tokens (RFC 6750 section 3, RFC 9728 section 5.1) of the resource with this metadata; `error` is appended to its
 * parameters.
 */
export const bearerChallenge = (metadataUrl: string, error = ""): string =>
  `Bearer realm="petstore"${error}, resource_metadata="${metadataUrl}"`

/** `WWW-Authenticate` with both schemes; the key's challenge names its header. */
export const challenges = (metadataUrl: string, error = ""): string =>
  `${bearerChallenge(metadataUrl, error)}, ApiKey realm="petstore", in="header", name="api_key"`

export type AccessParts = {
  ports: Pick<Ports, "store" | "clock">
  signals: Invalidation
  /** A monotonic clock. */
  steady: Clock
  /** The API key for which requests without a valid credential act; undefined when they are refused. */
  anonymousKey: string | undefined
  /** The external issuer whose tokens are accepted besides the service's own. */
  externalIssuer: ExternalIssuer | undefined
}

/** Throws the 401 for an invalid credential. The request may be that of a page. */
export type Authenticate = (request: Credentials, address: string) => Awaitable<Principal>

/** The credentials of a request are in its headers; its connection keeps the last one. */
type Credentials = Pick<IncomingMessage, "headers" | "socket">

/**
 * Authenticates a request by an API key, an access token, or both; then both must be valid, and the token decides.
 * Throws the 401 without a credential and for an invalid one, unless anonymous requests act for a key. An administrator may act for
 * another account.
 */
export function createAuthenticator(
  { ports, signals, steady, anonymousKey, externalIssuer }: AccessParts,
  uses: Pick<KeyUses, "record">,
  lookups?: Lookups,
): Authenticate {
  const { store, clock } = ports
  const principalOfToken = tokenReader(ports, externalIssuer)
  const principalOf = createPrincipalCache(signals, steady, lookups)

  function requireHolding(what: string, principal: Principal | undefined, address: string): Principal {
    if (!principal || (principal.expiresAt !== undefined && principal.expiresAt <= clock.now()))
      throw new Problem("unauthorized", `The ${what} is unknown, expired or revoked`)
    if (principal.allows?.(address) === false)
      throw new Problem("unauthorized", `The ${what} may not be used from the address ${address}`)
    return principal
  }

  function lookUpKey(secret: string, sha256: string): Promise<Principal | undefined> {
    requireKeyForm(secret)
    return principalOfKey(store, sha256)
  }

  const byKey = (secret: string, connection: Socket, address: string): Awaitable<Principal> =>
    andThen(address, principalOf("key", secret, connection, lookUpKey), acceptKey)

  function acceptKey(address: string, found: Principal | undefined): Principal {
    const principal = requireHolding("API key", found, address)
    uses.record(principal.caller.credential.id)
    return principal
  }

  function byToken(authorization: string, connection: Socket, address: string): Awaitable<Principal> {
    const token = bearerOf(authorization)
    if (token === undefined)
      throw new Problem("unauthorized", "Authorization must be the word Bearer and an access token")
    return andThen(address, principalOf("token", token, connection, principalOfToken), acceptToken)
  }

  const acceptToken = (address: string, found: Principal | undefined) => requireHolding("access token", found, address)

  const act = (named: unknown, principal: Principal) => actForAccount(principal, named, store)

  function byHeaders({ headers, socket }: Credentials, address: string): Awaitable<Principal> {
    const { authorization, api_key: secret } = headers
    const keyed = typeof secret === "string" && secret !== "" ? byKey(secret, socket, address) : undefined
    // Classic clients send an empty token beside the key.
    if (authorization === undefined || (keyed !== undefined && /^(bearer)?$/i.test(authorization))) {
      if (keyed !== undefined) return keyed
      throw new Problem(
        "unauthorized",
        "Send an API key in the header api_key, or an access token in Authorization: Bearer …",
      )
    }
    return keyed !== undefined
      ? andThen(authorization, keyed, () => byToken(authorization, socket, address))
      : byToken(authorization, socket, address)
  }

  const byHeadersOrAnonymous = async (request: Credentials, address: string): Promise<Principal> => {
    try {
      return await byHeaders(request, address)
    } catch (error) {
      const isRefused = error instanceof Problem && error.code === "unauthorized"
      if (!isRefused || anonymousKey === undefined) throw error
      const principal = await byKey(anonymousKey, request.socket, address)
      return { ...principal, caller: { ...principal.caller, isAssumed: true } }
    }
  }

  const identify = anonymousKey === undefined ? byHeaders : byHeadersOrAnonymous
  return (request: Credentials, address: string): Awaitable<Principal> => {
    const found = identify(request, address)
    const named = request.headers[accountHeader]
    return named === undefined ? found : andThen(named, found, act)
  }
}

/** The token in `Authorization: Bearer …` (RFC 6750 section 2.1); undefined when the header is absent or malformed. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^bearer +([\w.~+/-]+=*)$/i.exec(authorization ?? "")?.[1]
