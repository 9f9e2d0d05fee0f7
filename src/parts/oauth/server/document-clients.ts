import type { Provider } from "oidc-provider"
import type { DocumentRequest } from "../../../core/domain/ports/targets.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import { actingAddress } from "./acting.ts"
import type { OAuthStore } from "./oauth-store.ts"
import { unavailable } from "./records.ts"

/** Reads a document for the request that is being handled, under a name of the service. */
export const fetchDocument = (
  url: string,
  { headers, signal }: DocumentRequest,
  { ports, readDocument }: Pick<OAuthStore, "ports" | "readDocument">,
  issuer: string,
) =>
  readDocument(url, actingAddress(), () => {
    headers.set("user-agent", `Petstore-OAuth/1 (+${issuer})`)
    return ports.targets.fetch(url, { headers, signal })
  })

/** Lets a request that reaches the limit of documents return 429; oidc-provider would report an invalid client. */
export function reportDocumentLimit({ Client }: Provider): void {
  const { find } = Client
  Client.find = async (id) => {
    try {
      return await find.call(Client, id)
    } catch (error) {
      const { cause } = error as Error
      if (!(cause instanceof Problem)) throw error
      throw unavailable(cause.detail, { status: 429, retryAfter: cause.retryAfter ?? 1, cause })
    }
  }
}
