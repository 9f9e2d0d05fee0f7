import type { Provider } from "oidc-provider"
import { declinedUrl, signedInUrl } from "./request-parameters.ts"

/** Where somebody goes on to once they have signed in. */
export type Destination = NonNullable<Awaited<ReturnType<typeof destinationOf>>>

/** Reads the address of the page for signing in; undefined when it asks for what no application may. */
export async function destinationOf(server: Provider, request: URLSearchParams) {
  const { pathname: path } = new URL(server.issuer)
  const [clientId, redirectUri] = [request.get("client_id") ?? "", request.get("redirect_uri") ?? ""]
  const client = await server.Client.find(clientId)
  if (!client?.redirectUriAllowed(redirectUri)) return undefined
  return {
    clientName: client.clientName ?? clientId,
    loginHint: request.get("login_hint") ?? "",
    /** Where the form of the page may lead besides the service itself. */
    origins: [new URL(redirectUri).origin],
    signedIn: signedInUrl(path, request),
    declined: declinedUrl(path, request),
  }
}
