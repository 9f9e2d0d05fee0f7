import type { FastifyInstance } from "fastify"
import type { Provider } from "oidc-provider"
import { showConsent } from "../../domain/oauth/consents/rules.ts"
import { pageLimitDefault } from "../../kernel/page.ts"
import { consentsPage } from "../../web/oauth/consents-page.ts"
import { formToken, leadOn, ownForm, pageOptions, sendHtml } from "./forms.ts"
import type { Issuing } from "./provider.ts"
import { signedIn } from "./session.ts"
import type { SigningIn } from "./sign-in.ts"

/** The page where a person sees what they have allowed applications to do, and takes it back. */
export function serveConsents(
  app: FastifyInstance,
  url: string,
  provider: () => Promise<Provider>,
  served: SigningIn & Issuing,
) {
  const options = pageOptions(served.byAddress)
  const { store, signals, clock } = served
  const signInUrl = ({ issuer }: Provider) => `${new URL(issuer).pathname}/sign-in`

  app.get(url, options, async (request, reply) => {
    const server = await provider()
    const person = await signedIn(server, store, request, reply)
    if (!person) return leadOn(reply, signInUrl(server))
    const { items, next } = await store.consents.list(person.user.id, clock.now(), {
      limit: pageLimitDefault,
      before: undefined,
    })
    const token = formToken(request, reply, server.issuer)
    const consents = items.map(showConsent)
    return sendHtml(reply, ["'self'"], consentsPage(person.user.username, consents, next !== undefined, token))
  })

  app.post(url, options, async (request, reply) => {
    const form = ownForm(request, reply, served.publicUrl())
    if (!form) return reply
    const server = await provider()
    const person = await signedIn(server, store, request, reply)
    if (!person) return leadOn(reply, signInUrl(server))
    const id = Number(form.get("end"))
    if (Number.isSafeInteger(id) && (await store.transaction((tx) => tx.consents.end(id, person.user.id))))
      await signals.announce({ kind: "credentials-changed", accountId: person.accountId })
    return leadOn(reply, `${new URL(server.issuer).pathname}/consents`)
  })
}
