import type { IncomingHttpHeaders } from "node:http"
import type { Invalidation } from "../../domain/ports.ts"
import { Problem } from "../../kernel/problem.ts"
import { resourceMetadataUrl } from "../oauth/metadata.ts"
import { type Known, tokenReader } from "./access-token.ts"
import { grantOfKey, requireKeyForm } from "./api-key.ts"
import type { keyUses } from "./key-usage.ts"
import { type Grant, grantCache } from "./principal-cache.ts"

/** RFC 6750 section 3 and RFC 9728 section 5.1 for tokens; the key's challenge names the header it goes into. */
export const challenges = (publicUrl: string, error = ""): string[] => [
  `Bearer realm="petstore"${error}, resource_metadata="${resourceMetadataUrl(publicUrl)}"`,
  'ApiKey realm="petstore", in="header", name="api_key"',
]

type Asked = Known & { signals: Invalidation; uses: ReturnType<typeof keyUses> }

/**
 * Who is calling. A request may carry an API key, an access token, or both; then both must hold and the token decides.
 * Throws the 401 when it has neither or one that does not hold.
 */
export function authenticator(asked: Asked) {
  const { signals, clock, store, uses } = asked
  const grantOfToken = tokenReader(asked)
  const grantOf = grantCache(signals, clock)

  async function holding(what: string, finding: Promise<Grant | undefined>, address: string): Promise<Grant> {
    const grant = await finding
    if (!grant || (grant.expiresAt !== undefined && grant.expiresAt <= clock.now()))
      throw new Problem("unauthorized", `The ${what} is unknown, expired or revoked`)
    if (grant.allows?.(address) === false)
      throw new Problem("unauthorized", `The ${what} may not be used from the address ${address}`)
    return grant
  }

  async function byKey(secret: string, address: string): Promise<Grant> {
    requireKeyForm(secret)
    const grant = await holding(
      "API key",
      grantOf("key", secret, (sha256) => grantOfKey(store, sha256)),
      address,
    )
    uses.note(grant.caller.credential.id)
    return grant
  }

  async function byToken(authorization: string, address: string): Promise<Grant> {
    const token = bearerOf(authorization)
    if (token === undefined)
      throw new Problem("unauthorized", "Authorization must be the word Bearer and an access token")
    return holding(
      "access token",
      grantOf("token", token, (sha256) => grantOfToken(token, sha256)),
      address,
    )
  }

  return async ({ authorization, api_key: secret }: IncomingHttpHeaders, address: string): Promise<Grant> => {
    const keyGrant = typeof secret === "string" && secret !== "" ? await byKey(secret, address) : undefined
    const grant = authorization !== undefined ? await byToken(authorization, address) : keyGrant
    if (grant) return grant
    throw new Problem(
      "unauthorized",
      "Send an API key in the header api_key, or an access token in Authorization: Bearer …",
    )
  }
}

/** The token in `Authorization: Bearer …` (RFC 6750 section 2.1); undefined when the header is absent or of another form. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^bearer +([\w.~+/-]+=*)$/i.exec(authorization ?? "")?.[1]
