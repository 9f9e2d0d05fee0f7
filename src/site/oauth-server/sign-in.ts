// Decision: docs/decisions/oauth.md#the-sign-in-page-stores-nothing

import type { Provider } from "oidc-provider"
import type { Passwords } from "../../domain/ports/passwords.ts"
import type { Store } from "../../domain/ports/store.ts"
import { signIn } from "../../domain/users/sessions/sign-in.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Attempts } from "../../kernel/flow/attempts.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { IpRateLimit } from "../../server/limits/ip-rate-limit.ts"
import { privatePage, redirect } from "../../server/writing/page-response.ts"
import { type SamplePerson, type SignInForm, signInPage } from "../pages/oauth/sign-in-page.ts"
import { sitePath } from "../serving/cookies.ts"
import { failureOf } from "../serving/failure.ts"
import { browserToken, readForm } from "../serving/forms.ts"
import { signInHelp } from "../serving/sign-in-help.ts"
import { requestOf } from "./acting.ts"
import { type Destination, destinationOf } from "./destination.ts"
import { expiredPage } from "./expired-page.ts"
import { startSession } from "./session.ts"

export type SignInDeps = {
  store: Store
  passwords: Passwords
  attempts: Attempts
  clock: Clock
  limitAddress: IpRateLimit
  publicUrl(): string
  /** The base address of the pages, also of those of a named sandbox: other than that of the sandbox. */
  siteUrl(): string
  /** The sandbox's users: a click signs in as one, and customers who cannot consent are told of the staff. */
  samplePeople: readonly SamplePerson[]
}

/** The page that takes a password. Its data is all in its address, so a visit stores nothing. */
export function oauthSignInHandlers(provider: () => Promise<Provider>, deps: SignInDeps) {
  return {
    GET: async (exchange: Exchange) => {
      const server = await provider()
      const destination = await destinationOf(server, new URLSearchParams(exchange.query))
      if (!destination) return expiredPage(exchange)
      return show(server, exchange, destination, { username: destination.loginHint })
    },

    POST: async (exchange: Exchange) => {
      await deps.limitAddress("password", exchange.address)
      const form = await readForm(exchange, { publicUrl: deps.publicUrl() })
      if (!form) return expiredPage(exchange)
      const server = await provider()
      const destination = await destinationOf(server, new URLSearchParams(exchange.query))
      if (!destination) return expiredPage(exchange)
      if (form.get("answer") === "deny") return redirect(destination.declined)

      const username = form.get("username") ?? ""
      const found = await signIn(deps, { username, password: form.get("password") ?? "" }, requestOf(exchange))
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
    const help = await signInHelp(deps.store, deps.samplePeople)
    const root = sitePath(deps.siteUrl())
    const form = { ...shown, ...help, root, continuing: { to: clientName }, origins, mayCancel: true }
    return privatePage(exchange, signInPage(form, browserToken(exchange, server.issuer)))
  }
}
