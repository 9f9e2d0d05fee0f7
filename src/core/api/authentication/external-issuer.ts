import { decodeJwt, errors, type JWTPayload, jwtVerify } from "jose"
import { unbounded } from "../../domain/accounts/model.ts"
import { effectiveScopes } from "../../domain/oauth/rules.ts"
import type { Store } from "../../domain/ports/store.ts"
import { allScopes } from "../../domain/scopes.ts"
import type { Clock } from "../../kernel/clock.ts"
import { Problem } from "../../kernel/problem.ts"
import type { IssuerKeys } from "./issuer-keys.ts"
import type { Principal } from "./principal-cache.ts"

/** An issuer of JWT access tokens (RFC 9068) that the operator trusts, the audience its tokens must name, and its keys. */
export type ExternalIssuer = { issuer: string; audience: string; keys: IssuerKeys }

/** The claim with the id of the token's account. Scopes are in `scope` (RFC 9068 section 2.2.3). */
const accountClaim = "petstore_account"
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"]
const requiredClaims = ["exp", "iat", "sub", "client_id", "jti"]
const skewSeconds = 30

/** Undefined for an invalid token. Throws `unavailable` when the issuer does not respond. */
export function externalTokens(
  { issuer, audience, keys }: ExternalIssuer,
  { store, clock }: { store: Store; clock: Clock },
) {
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
      const { payload } = await jwtVerify(token, keys.find, {
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
      // jose throws this class for every defect of a token.
      if (error instanceof errors.JOSEError) return undefined
      if (error instanceof Problem) throw error
      const detail = "The key that the issuer of the access token publishes cannot be used"
      throw new Problem("unavailable", detail, { retryAfter: 5 })
    }
  }
}
