import type { Provider } from "oidc-provider"
import { showConsent } from "../../domain/oauth/consents/rules.ts"
import { pageLimitDefault } from "../../kernel/page.ts"
import { Problem } from "../../kernel/problem.ts"
import { consentsPage } from "../../web/oauth/consents-page.ts"
import type { Operating } from "../operations/operating.ts"
import { askerOf, callerOf as callsOf } from "../site/caller.ts"
import { formToken } from "../site/form-token.ts"
import { privatePage, redirect } from "../writing/page-response.ts"
import { expiredPage, readOwnForm } from "./forms.ts"
import type { Handlers } from "./handlers.ts"
import type { Issuing } from "./provider.ts"
import { callerOf, signedIn } from "./session.ts"
import type { SigningIn } from "./sign-in.ts"

type ConsentsServed = SigningIn & Issuing & { operating: Operating }

/** The page where a person sees what they have allowed applications to do, and takes it back. */
export function consentsHandlers(provider: () => Promise<Provider>, served: ConsentsServed): Handlers {
  const { store, clock, operating } = served
  const callAs = callsOf({ ...operating, admit: operating.admitKnown })
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
      exchange.caller = await callerOf(store, person)
      const id = Number(form.get("end"))
      await callAs(askerOf(exchange, exchange.caller)).endConsent({ params: { id } }).catch(unlessEnded)
      return redirect(`${new URL(server.issuer).pathname}/consents`)
    },
  }
}

/** A consent that has ended meanwhile needs no message: the page that follows does not list it. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof Problem && error.code === "consent-not-found")) throw error
}
