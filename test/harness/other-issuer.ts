import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose"
import { Provider } from "../../src/parts/oauth/server/library.ts"

export const audience = "https://petstore.example/api"

/** An external authorization server: another oidc-provider, in memory, with JWT access tokens (RFC 9068). */
export async function startOtherIssuer(claims: Record<string, unknown>) {
  let provider: InstanceType<typeof Provider> | undefined
  let fetches = 0
  let requests = 0
  let isAway = (_path: string) => false
  const server = createServer((request, response) => {
    if (request.url !== "/token") requests++
    if (request.url === "/jwks") fetches++
    if (isAway(request.url ?? "")) response.writeHead(503).end()
    else void provider?.callback()(request, response)
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let key = await newKey("first")
  provider = providerOf(issuer, [key], claims)

  async function token(scope: string): Promise<string> {
    const response = await fetch(`${issuer}/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa("robot:robot-secret")}` },
      body: new URLSearchParams({ grant_type: "client_credentials", scope, resource: audience }),
    })
    return ((await response.json()) as { access_token: string }).access_token
  }

  return {
    issuer,
    token,
    /** Number of requests for the key set. */
    fetches: () => fetches,
    /** Number of requests for anything but a token. */
    requests: () => requests,
    /** Responds 503 from now on for the paths that `away` accepts. */
    fail(away: (path: string) => boolean) {
      isAway = away
    },
    /** Signs with another key from now on, and stops publishing the old one. */
    async rotate(kid = "second") {
      key = await newKey(kid)
      provider = providerOf(issuer, [key], claims)
    },
    /** A token of this issuer with any claims, header and key. */
    async forged(payload: Record<string, unknown>, header: Record<string, string> = {}, signer = key) {
      const now = Math.floor(Date.now() / 1000)
      const whole = { iss: issuer, aud: audience, sub: "robot", client_id: "robot", jti: "1", iat: now, exp: now + 60 }
      return new SignJWT({ ...whole, scope: "read:pets", ...claims, ...payload })
        .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid: key.kid as string, ...header })
        .sign(signer)
    },
    newKey,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true })
  return { ...(await exportJWK(privateKey)), kid, alg: "RS256", use: "sig" }
}

const providerOf = (issuer: string, keys: JWK[], claims: Record<string, unknown>) =>
  new Provider(issuer, {
    jwks: { keys },
    clients: [
      {
        client_id: "robot",
        client_secret: "robot-secret",
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
      },
    ],
    extraTokenClaims: async () => claims,
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async () => ({
          scope: "read:pets write:pets admin other:things",
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  })
