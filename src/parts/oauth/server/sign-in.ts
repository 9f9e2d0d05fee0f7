// Decision: docs/decisions/oauth.md#the-sign-in-page-stores-nothing

import type { Provider } from "oidc-provider"
import { signIn } from "../../../core/domain/users/sessions/sign-in.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { privatePage, redirect } from "../../../core/server/writing/page-response.ts"
import { sitePath } from "../../site/serving/cookies.ts"
import { failureOf } from "../../site/serving/failure.ts"
import { browserToken, readForm } from "../../site/serving/forms.ts"
import { type SignInForm, signInPage } from "../pages/sign-in-page.ts"
import { requestOf } from "./acting.ts"
import { type Destination, destinationOf } from "./destination.ts"
import { expiredPage } from "./expired-page.ts"
import type { OAuthStore } from "./oauth-store.ts"
import { startSession } from "./session.ts"
import { signInHelp } from "./sign-in-help.ts"

/** The page that takes a password. Its data is all in its address, so a visit stores nothing. */
export function oauthSignInHandlers(
  provider: () => Promise<Provider>,
  { ports, limitAddress, siteUrl, samplePeople }: OAuthStore,
) {
  return {
    GET: async (exchange: Exchange) => {
      const server = await provider()
      const destination = await destinationOf(server, new URLSearchParams(exchange.query))
      if (!destination) return expiredPage(exchange)
      return show(server, exchange, destination, { username: destination.loginHint })
    },

    POST: async (exchange: Exchange) => {
      await limitAddress("password", exchange.address)
      const form = await readForm(exchange, { publicUrl: ports.publicUrl() })
      if (!form) return expiredPage(exchange)
      const server = await provider()
      const destination = await destinationOf(server, new URLSearchParams(exchange.query))
      if (!destination) return expiredPage(exchange)
      if (form.get("answer") === "deny") return redirect(destination.declined)

      const username = form.get("username") ?? ""
      const found = await signIn(ports, { username, password: form.get("password") ?? "" }, requestOf(exchange))
      if (found instanceof Problem)
        return show(server, exchange, destination, { username, failure: failureOf(exchange, found) })
      await startSession(server, exchange, found.user.id)
      return redirect(destination.signedIn)
    },
  }

  async function show(
    server: Provider,
    exchange: Exchange,
    { clientName, origins }: Destination,
    shown: Pick<SignInForm, "username" | "failure">,
  ) {
    const help = await signInHelp(ports.store, samplePeople)
    const root = sitePath(siteUrl())
    const form = { ...shown, ...help, root, continuing: { to: clientName }, origins, mayCancel: true }
    return privatePage(exchange, signInPage(form, browserToken(exchange, server.issuer)))
  }
}
