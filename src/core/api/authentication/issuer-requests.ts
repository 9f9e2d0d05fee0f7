import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose"
import type { Clock } from "../../kernel/clock.ts"

const timeoutMs = 5_000
/** The age at which the metadata is requested again. */
const metadataMs = 60 * 60_000
/** The age up to which keys and metadata are used while the issuer does not respond. */
export const staleMsMax = 24 * 60 * 60_000

/**
 * Requests the issuer's keys at the address in its metadata (RFC 8414, or OpenID Connect Discovery). After a failure
 * the metadata is requested first, because the keys may have moved.
 */
export function keyRequests(issuer: string, steady: Clock, stopped: AbortSignal) {
  let known: { uri: string; since: number } | undefined
  const isYounger = (ageMs: number): boolean => known !== undefined && steady.now() - known.since < ageMs

  return async (hasFailed: boolean): Promise<JWTVerifyGetKey> => {
    const response = await get(await locate(hasFailed), stopped)
    if (!response.ok) throw new Error(`the request for the key set of ${issuer} failed with status ${response.status}`)
    return createLocalJWKSet((await response.json()) as JSONWebKeySet)
  }

  /** When the metadata is unavailable, the keys may still be at the known address. */
  async function locate(hasFailed: boolean): Promise<string> {
    if (known && !hasFailed && isYounger(metadataMs)) return known.uri
    try {
      known = { uri: await jwksUriOf(issuer, stopped), since: steady.now() }
    } catch (error) {
      if (!known || !isYounger(staleMsMax)) throw error
    }
    return known.uri
  }
}

const get = (address: string, stopped: AbortSignal): Promise<Response> =>
  fetch(address, { signal: AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)]), redirect: "error" })

async function jwksUriOf(issuer: string, stopped: AbortSignal): Promise<string> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, "")
  for (const address of [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]) {
    const response = await get(address, stopped)
    if (!response.ok) continue
    const metadata = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown }
    if (metadata.issuer === issuer && typeof metadata.jwks_uri === "string") return metadata.jwks_uri
  }
  throw new Error(`${issuer} publishes no metadata that names it and its keys`)
}
