import * as oauth from "oauth4webapi"

/** The service speaks http on loopback in the tests. */
export const insecure = { [oauth.allowInsecureRequests]: true }

/** What an application knows once it has discovered the authorization server (RFC 8414) of the service at `url`. */
export async function discovered(url: string): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(`${url}/oauth`)
  return oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
  )
}

export const sample: oauth.Client = { client_id: "sample-client-id" }
export const sampleSecret = oauth.ClientSecretBasic("sample-client-secret")

/** A token for the sandbox's sample client, which acts for itself. */
export async function clientToken(as: oauth.AuthorizationServer, scope?: string): Promise<string> {
  const parameters = scope === undefined ? {} : { scope }
  const response = await oauth.clientCredentialsGrantRequest(as, sample, sampleSecret, parameters, insecure)
  return (await oauth.processClientCredentialsResponse(as, sample, response)).access_token
}

/** An authorization request with PKCE, and what the application must remember of it. */
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

/** Checks what the application was sent back with and exchanges the code for tokens. */
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

/** Asserts with `assert.rejects` that a call is refused with this error code (RFC 6749 section 5.2). */
export const refusedWith = (code: string) => (error: unknown) =>
  error instanceof oauth.WWWAuthenticateChallengeError
    ? error.cause[0]?.parameters.error === code
    : (error as { error?: string }).error === code
