import type { Provider } from "oidc-provider"
import { nameOfClient } from "./client-name.ts"
import { errors } from "./library.ts"
import { declinedUrl, signedInUrl } from "./request-parameters.ts"
import { inOurWords } from "./session.ts"

/** Where a person continues after signing in. */
export type Destination = {
  clientName: string
  /** The username that the client suggests; empty when it suggests none. */
  loginHint: string
  /** Further origins that the page's form may lead to. */
  origins: readonly string[]
  /** The address after the person has signed in. */
  signedIn: string
  /** The address after the person declined to sign in. */
  declined: string
}

/** Reads the address of the sign-in page; undefined for an unknown client or redirect URI. */
export async function destinationOf(server: Provider, request: URLSearchParams): Promise<Destination | undefined> {
  const { pathname: path } = new URL(server.issuer)
  const [clientId, redirectUri] = [request.get("client_id") ?? "", request.get("redirect_uri") ?? ""]
  const client = await inOurWords(server.Client.find(clientId)).catch(undefinedIfRefused)
  if (!client?.redirectUriAllowed(redirectUri)) return undefined
  return {
    clientName: nameOfClient(clientId, client.clientName),
    loginHint: request.get("login_hint") ?? "",
    origins: [new URL(redirectUri).origin],
    signedIn: signedInUrl(path, request),
    declined: declinedUrl(path, request),
  }
}

/** A document that cannot be read, or that oidc-provider refuses, describes no client. */
function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof errors.OIDCProviderError)) throw error
}
