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

/** Asserts with `assert.rejects` that a call is refused with this error code (RFC 6749 section 5.2). */
export const refusedWith = (code: string) => (error: unknown) =>
  error instanceof oauth.WWWAuthenticateChallengeError
    ? error.cause[0]?.parameters.error === code
    : (error as { error?: string }).error === code
