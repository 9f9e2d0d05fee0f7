import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Provider } from "oidc-provider"
import { consentPage } from "../../web/oauth/consent-page.ts"
import { type Asking, askingOf, grantOf } from "./consent.ts"
import { formToken, leadOn, ownForm, pageOptions, sendExpired, sendPage } from "./forms.ts"
import { errors } from "./library.ts"
import type { SigningIn } from "./sign-in.ts"

/** The page that asks a signed-in person whether an application may do what it wants to do. */
export function serveInteraction(
  app: FastifyInstance,
  url: string,
  provider: () => Promise<Provider>,
  served: SigningIn,
) {
  const options = pageOptions(served.byAddress)

  app.get(url, options, async (request, reply) => {
    const server = await provider()
    const asking = await current(server, request, reply)
    if (!asking) return reply
    return sendPage(reply, consentPage(asking, formToken(request, reply, server.issuer)))
  })

  app.post(url, options, async (request, reply) => {
    const form = ownForm(request, reply, served.publicUrl())
    if (!form) return reply
    const server = await provider()
    const asking = await current(server, request, reply)
    if (!asking) return reply
    const result =
      form.get("answer") === "allow"
        ? { consent: { grantId: await (await grantOf(server, asking)).save() } }
        : { error: "access_denied", error_description: "the person declined" }
    return leadOn(reply, await server.interactionResult(request.raw, reply.raw, result))
  })

  async function current(server: Provider, request: FastifyRequest, reply: FastifyReply): Promise<Asking | undefined> {
    try {
      return await askingOf(server, served.store, await server.interactionDetails(request.raw, reply.raw))
    } catch (error) {
      if (!(error instanceof errors.OIDCProviderError)) throw error
      sendExpired(reply)
      return undefined
    }
  }
}
