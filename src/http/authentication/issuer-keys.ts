import { createRemoteJWKSet, type JWTVerifyGetKey } from "jose"
import type { Clock } from "../../kernel/clock.ts"

const timeoutMs = 5_000
const metadataMs = 60 * 60 * 1000
const keysMs = 10 * 60 * 1000
/** However many tokens name a key nobody knows, the key set is asked for no more often than this. */
const refetchMs = 5_000

/** Finds the issuer's keys by way of its metadata (RFC 8414, or OpenID Connect Discovery), asked for rarely. */
export function keyFinder(issuer: string, clock: Clock): () => Promise<JWTVerifyGetKey> {
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
