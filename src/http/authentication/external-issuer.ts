import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose"
import { unbounded } from "../../domain/accounts/model.ts"
import { effectiveScopes } from "../../domain/oauth/rules.ts"
import type { Store } from "../../domain/ports.ts"
import { allScopes } from "../../domain/scopes.ts"
import type { Clock } from "../../kernel/clock.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Principal } from "./principal-cache.ts"

/** An issuer of JWT access tokens (RFC 9068) that the operator trusts, and the audience its tokens must name. */
export type ExternalIssuer = { issuer: string; audience: string }

/** The claim that says for which account a token is, by its id. Its scopes are those of `scope` (RFC 9068 section 2.2.3). */
const accountClaim = "petstore_account"
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"]
const requiredClaims = ["exp", "iat", "sub", "client_id", "jti"]
const skewSeconds = 30
const timeoutMs = 5_000
const metadataMs = 60 * 60 * 1000
const keysMs = 10 * 60 * 1000
/** However many tokens name a key nobody knows, the key set is asked for no more often than this. */
const refetchMs = 5_000
const retryAfter = 5

type Tools = { store: Store; clock: Clock }

/** Reads the issuer's tokens; undefined for one that does not hold. Throws `unavailable` when the issuer cannot be asked. */
export function externalTokens({ issuer, audience }: ExternalIssuer, { store, clock }: Tools) {
  const keysOf = keyFinder(issuer, clock)

  return async (token: string): Promise<Principal | undefined> => {
    const claims = await verify(token)
    if (!claims) return undefined
    const accountId = claims[accountClaim]
    const account = Number.isSafeInteger(accountId) ? await store.accounts.read(accountId as number) : undefined
    if (!account) return undefined
    const granted = typeof claims.scope === "string" ? claims.scope.split(" ") : []
    return {
      caller: {
        account,
        ownerId: account.id,
        credential: { kind: "externalIssuer", id: account.id },
        scopes: effectiveScopes(granted, allScopes),
        bounds: unbounded,
      },
      expiresAt: ((claims.exp as number) + skewSeconds) * 1000,
    }
  }

  async function verify(token: string): Promise<JWTPayload | undefined> {
    try {
      if (decodeJwt(token).iss !== issuer) return undefined
      const { payload } = await jwtVerify(token, await keysOf(), {
        issuer,
        audience,
        algorithms,
        requiredClaims,
        typ: "at+jwt",
        clockTolerance: skewSeconds,
        currentDate: new Date(clock.now()),
      })
      return payload
    } catch (error) {
      if (isTokensFault(error)) return undefined
      throw new Problem("unavailable", "The issuer of the access token cannot be asked for its keys just now", {
        retryAfter,
      })
    }
  }
}

/** Finds the issuer's keys by way of its metadata (RFC 8414, or OpenID Connect Discovery), asked for rarely. */
function keyFinder(issuer: string, clock: Clock): () => Promise<JWTVerifyGetKey> {
  let known: { keys: JWTVerifyGetKey; uri: string; since: number } | undefined

  return async () => {
    if (known && Math.abs(clock.now() - known.since) < metadataMs) return known.keys
    const uri = await jwksUriOf(issuer)
    const keys =
      known?.uri === uri
        ? known.keys
        : createRemoteJWKSet(new URL(uri), {
            cooldownDuration: refetchMs,
            cacheMaxAge: keysMs,
            timeoutDuration: timeoutMs,
          })
    known = { keys, uri, since: clock.now() }
    return keys
  }
}

async function jwksUriOf(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, "")
  for (const address of [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]) {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: "error" })
    if (!response.ok) continue
    const metadata = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown }
    if (metadata.issuer === issuer && typeof metadata.jwks_uri === "string") return metadata.jwks_uri
  }
  throw new Error(`${issuer} publishes no metadata that names it and its keys`)
}

/** What jose found wrong with the token, as opposed to with getting at the keys. */
const isTokensFault = (error: unknown): boolean =>
  error instanceof errors.JOSEError && !unreachable.includes(error.code)

const unreachable = [errors.JOSEError.code, errors.JWKSTimeout.code, errors.JWKSInvalid.code]
