import type { Provider } from "oidc-provider"
import { showConsent } from "../../domain/oauth/consents/rules.ts"
import type { Repositories } from "../../domain/ports.ts"
import { pageLimitDefault } from "../../kernel/page.ts"
import { consentsPage } from "../../web/oauth/consents-page.ts"
import { formToken } from "../messages/form-token.ts"
import { privatePage, redirect } from "../messages/page-response.ts"
import { requestOf } from "./acting.ts"
import { expiredPage, readOwnForm } from "./forms.ts"
import type { Handlers } from "./handlers.ts"
import type { Issuing } from "./provider.ts"
import { signedIn } from "./session.ts"
import type { SigningIn } from "./sign-in.ts"

/** The page where a person sees what they have allowed applications to do, and takes it back. */
export function consentsHandlers(provider: () => Promise<Provider>, served: SigningIn & Issuing): Handlers {
  const { store, signals, clock } = served
  const signInUrl = ({ issuer }: Provider) => `${new URL(issuer).pathname}/sign-in`

  return {
    GET: async (exchange) => {
      const server = await provider()
      const person = await signedIn(server, store, exchange)
      if (!person) return redirect(signInUrl(server))
      const { items, next } = await store.consents.list(person.user.id, clock.now(), {
        limit: pageLimitDefault,
        before: undefined,
      })
      const allowed = { username: person.user.username, consents: items.map(showConsent), hasMore: next !== undefined }
      return privatePage(exchange, consentsPage(allowed, formToken(exchange, server.issuer)))
    },

    POST: async (exchange) => {
      const form = await readOwnForm(exchange, served.publicUrl())
      if (!form) return expiredPage(exchange)
      const server = await provider()
      const person = await signedIn(server, store, exchange)
      if (!person) return redirect(signInUrl(server))
      const id = Number(form.get("end"))
      const actor = { ...requestOf(exchange), principal: `user:${person.user.id}` } as const
      const end = async (tx: Repositories) => {
        if (!(await tx.consents.end(id, person.user.id))) return false
        await tx.audit.append([{ ...actor, action: "consent.ended", thing: `consent:${id}` }], clock.now())
        return true
      }
      if (Number.isSafeInteger(id) && (await store.transaction(end)))
        await signals.announce({ kind: "credentials-changed", accountId: person.accountId })
      return redirect(`${new URL(server.issuer).pathname}/consents`)
    },
  }
}
