import type { Provider } from "oidc-provider"
import { consentPage } from "../../web/oauth/consent-page.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import { browserToken, readForm } from "../site/forms.ts"
import { privatePage, redirect } from "../writing/page-response.ts"
import { type Asking, askingOf, grantOf } from "./consent.ts"
import { expiredPage } from "./expired-page.ts"
import { errors } from "./library.ts"
import type { SigningIn } from "./sign-in.ts"

/** The page that asks a signed-in person to consent. */
export function interactionHandlers(provider: () => Promise<Provider>, served: SigningIn) {
  return {
    GET: async (exchange: Exchange) => {
      const server = await provider()
      const asking = await findAsking(server, exchange)
      if (!asking) return expiredPage(exchange)
      return privatePage(exchange, consentPage(asking, browserToken(exchange, server.issuer)))
    },

    POST: async (exchange: Exchange) => {
      const form = await readForm(exchange, { publicUrl: served.publicUrl() })
      const server = await provider()
      const asking = form && (await findAsking(server, exchange))
      if (!asking) return expiredPage(exchange)
      const result =
        form.get("answer") === "allow"
          ? { consent: { grantId: await (await grantOf(server, asking)).save() } }
          : { error: "access_denied", error_description: "the person declined" }
      return redirect(await server.interactionResult(exchange.request, exchange.response, result))
    },
  }

  async function findAsking(server: Provider, { request, response }: Exchange): Promise<Asking | undefined> {
    try {
      return await askingOf(server, served, await server.interactionDetails(request, response))
    } catch (error) {
      if (!(error instanceof errors.OIDCProviderError)) throw error
      return undefined
    }
  }
}
