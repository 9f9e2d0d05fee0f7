import * as oauth from "oauth4webapi"
import { programEndpoints } from "../../src/parts/oauth/endpoints/endpoints.ts"
import { before } from "./use.ts"

/** The endpoints of the authorization server that programs call. */
export const oauthEndpoints = programEndpoints

/** In tests the service uses http on loopback. */
export const insecure = { [oauth.allowInsecureRequests]: true }

/** Discovers the authorization server (RFC 8414) of the service at `url`. */
export async function discover(url: string): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(`${url}/oauth`)
  return oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
  )
}

export const sample: oauth.Client = { client_id: "sample-client-id" }
export const sampleSecret = oauth.ClientSecretBasic("sample-client-secret")

/** The redirect URI of the sample application. */
export const sampleRedirectUri = "http://localhost:3000/callback"

/** The sandbox's sample application as a client of this file's service; `server` is available when the tests start. */
export function useSampleApplication(petstore: { url: string }) {
  let server: oauth.AuthorizationServer
  before(async () => {
    server = await discover(petstore.url)
  })
  return {
    get server() {
      return server
    },
    ask: (scope: string) => askFor(server, sample.client_id, sampleRedirectUri, scope),
    exchange: (returned: Omit<Returned, "redirectUri"> & { redirectUri?: string }) =>
      exchange(server, sample, sampleSecret, { redirectUri: sampleRedirectUri, ...returned }),
    refresh: async (token: string) => {
      const response = await oauth.refreshTokenGrantRequest(server, sample, sampleSecret, token, insecure)
      return oauth.processRefreshTokenResponse(server, sample, response)
    },
    /** An access token from the client credentials grant. */
    clientToken: async (scope?: string) => {
      const parameters = scope === undefined ? {} : { scope }
      const response = await oauth.clientCredentialsGrantRequest(server, sample, sampleSecret, parameters, insecure)
      return (await oauth.processClientCredentialsResponse(server, sample, response)).access_token
    },
  }
}

/** An authorization request with PKCE, and the values the application needs for the exchange. */
export async function askFor(as: oauth.AuthorizationServer, clientId: string, redirectUri: string, scope: string) {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const nonce = scope.split(" ").includes("openid") ? oauth.generateRandomNonce() : undefined
  const url = new URL(as.authorization_endpoint as string)
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope,
    state,
    ...(nonce !== undefined && { nonce }),
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString()
  return { url, verifier, state, nonce }
}

type Returned = { back: URL; state: string; verifier: string; redirectUri: string; nonce?: string | undefined }

/** Checks the response at the redirect URI and exchanges its code for tokens. */
export async function exchange(
  as: oauth.AuthorizationServer,
  client: oauth.Client,
  auth: oauth.ClientAuth,
  of: Returned,
) {
  const parameters = oauth.validateAuthResponse(as, client, of.back, of.state)
  return oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(as, client, auth, parameters, of.redirectUri, of.verifier, insecure),
    of.nonce === undefined ? {} : { expectedNonce: of.nonce },
  )
}

/** For `assert.rejects`: the call is refused with this error code (RFC 6749 section 5.2). */
export const refusedWith = (code: string) => (error: unknown) =>
  error instanceof oauth.WWWAuthenticateChallengeError
    ? error.cause[0]?.parameters.error === code
    : (error as { error?: string }).error === code
