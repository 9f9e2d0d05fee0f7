// Decision: docs/decisions/oauth.md#tokens-are-made-wrong-after-they-were-issued

import type { JWK } from "jose"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"

/** What an issuer can do wrong. */
export const tokenFlaws = ["expired", "wrong-issuer", "wrong-audience", "bad-signature", "unpublished-key"] as const
export type TokenFlaw = (typeof tokenFlaws)[number]

const hourSeconds = 3600

const flawed = new WeakMap<Exchange, TokenFlaw>()
export const spoil = (exchange: Exchange, flaw: string): void => void flawed.set(exchange, flaw as TokenFlaw)
export const flawOf = (exchange: Exchange): TokenFlaw | undefined => flawed.get(exchange)

/** The private keys, those that sign first, and how a further one is made. */
type Signing = { keys: readonly JWK[]; makeKey(alg: string): Promise<JWK> }

/** Makes the ID token of a response wrong, or leaves the keys that sign out of a key set. */
export async function spoilResponse(response: HttpResponse, flaw: TokenFlaw, signing: Signing): Promise<HttpResponse> {
  if (response.status !== 200) return response
  const document = JSON.parse(String(response.body))
  if (document.keys) document.keys = withoutSigning(document.keys)
  if (document.id_token) document.id_token = await spoilIdToken(document.id_token, flaw, signing)
  return { ...response, body: JSON.stringify(document) }
}

/** The first key of an algorithm signs. */
const withoutSigning = (keys: readonly JWK[]): JWK[] =>
  keys.filter(({ alg }, n) => keys.findIndex((each) => each.alg === alg) < n)

async function spoilIdToken(token: string, flaw: TokenFlaw, { keys, makeKey }: Signing): Promise<string> {
  if (flaw === "bad-signature") return withOtherSignature(token)
  const { decodeJwt, decodeProtectedHeader, importJWK, SignJWT } = await import("jose")
  const { alg = "", kid, ...header } = decodeProtectedHeader(token)
  const claims = decodeJwt(token)
  const key = flaw === "unpublished-key" ? await makeKey(alg) : keys.find((each) => each.kid === kid)
  return new SignJWT({ ...claims, ...wrongClaims(flaw, claims) })
    .setProtectedHeader({ ...header, alg, kid: key?.kid as string })
    .sign(await importJWK(key as JWK, alg))
}

function wrongClaims(flaw: TokenFlaw, { iat = 0 }: { iat?: number }): object {
  switch (flaw) {
    case "expired":
      return { iat: iat - 2 * hourSeconds, exp: iat - hourSeconds }
    case "wrong-issuer":
      return { iss: "https://issuer.example" }
    case "wrong-audience":
      return { aud: "another-client" }
    default:
      return {}
  }
}

/** The token with one bit of its signature changed. */
function withOtherSignature(token: string): string {
  const at = token.lastIndexOf(".") + 1
  const signature = Buffer.from(token.slice(at), "base64url")
  signature[0] = (signature[0] as number) ^ 1
  return token.slice(0, at) + signature.toString("base64url")
}
