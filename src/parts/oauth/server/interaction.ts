import type { Provider } from "oidc-provider"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { privatePage, redirect } from "../../../core/server/writing/page-response.ts"
import { browserToken, readForm } from "../../site/serving/forms.ts"
import { consentPage } from "../pages/consent-page.ts"
import { allow, type ConsentRequest, readConsentRequest } from "./consent.ts"
import { expiredPage } from "./expired-page.ts"
import { errors } from "./library.ts"
import type { OAuthStore } from "./oauth-store.ts"

/** The page that asks a signed-in person to consent. */
export function interactionHandlers(provider: () => Promise<Provider>, served: OAuthStore) {
  return {
    GET: async (exchange: Exchange) => {
      const server = await provider()
      const consentRequest = await findConsentRequest(server, exchange)
      if (!consentRequest) return expiredPage(exchange)
      return privatePage(exchange, consentPage(consentRequest, browserToken(exchange, server.issuer)))
    },

    POST: async (exchange: Exchange) => {
      const form = await readForm(exchange, { publicUrl: served.ports.publicUrl() })
      const server = await provider()
      const consentRequest = form && (await findConsentRequest(server, exchange))
      if (!consentRequest) return expiredPage(exchange)
      const result =
        form.get("answer") === "allow"
          ? { consent: { grantId: await allow(server, served.ports, consentRequest) } }
          : { error: "access_denied", error_description: "the person declined" }
      return redirect(await server.interactionResult(exchange.request, exchange.response, result))
    },
  }

  async function findConsentRequest(
    server: Provider,
    { request, response }: Exchange,
  ): Promise<ConsentRequest | undefined> {
    try {
      return await readConsentRequest(server, served, await server.interactionDetails(request, response))
    } catch (error) {
      if (!(error instanceof errors.OIDCProviderError)) throw error
      return undefined
    }
  }
}
