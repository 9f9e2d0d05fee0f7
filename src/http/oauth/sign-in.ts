import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Provider } from "oidc-provider"
import type { Attempts, Passwords, Store } from "../../domain/ports.ts"
import { signIn } from "../../domain/users/sessions/sign-in.ts"
import { Problem } from "../../kernel/problem.ts"
import { loginPage } from "../../web/oauth/sign-in-page.ts"
import { kindOf } from "../messages/problem-response.ts"
import type { AddressLimit } from "../rate-limiting/ip-rate-limit.ts"
import { type Destination, destinationOf } from "./destination.ts"
import { formToken, leadOn, ownForm, pageOptions, sendExpired, sendHtml } from "./forms.ts"
import { beginSession } from "./session.ts"

export type SigningIn = {
  store: Store
  passwords: Passwords
  attempts: Attempts
  byAddress: AddressLimit
  publicUrl(): string
  /** Said below the form; the sandbox tells its sample user. */
  hint: string | undefined
}

/** The page that takes a password. All it needs to know is in its address, so nothing is stored for who only looks. */
export function serveSignIn(app: FastifyInstance, url: string, provider: () => Promise<Provider>, served: SigningIn) {
  const options = pageOptions(served.byAddress)

  app.get(url, options, async (request, reply) => {
    const server = await provider()
    const destination = await destinationOf(server, parametersOf(request))
    if (!destination) return sendExpired(reply)
    return show(server, request, reply, destination, { username: destination.loginHint })
  })

  app.post(url, options, async (request, reply) => {
    await served.byAddress("password", request)
    const form = ownForm(request, reply, served.publicUrl())
    if (!form) return reply
    const server = await provider()
    const destination = await destinationOf(server, parametersOf(request))
    if (!destination) return sendExpired(reply)
    if (form.get("answer") === "deny" && destination.declined) return leadOn(reply, destination.declined)

    const username = form.get("username") ?? ""
    const found = await signIn(served, { username, password: form.get("password") ?? "", address: request.address })
    if (found instanceof Problem) {
      if (found.retryAfter !== undefined) reply.header("retry-after", found.retryAfter)
      reply.code(kindOf(found.code).status)
      return show(server, request, reply, destination, { username, wrong: wordsOf(found) })
    }
    await beginSession(server, request, reply, found.user.id)
    return leadOn(reply, destination.signedIn)
  })

  function show(
    server: Provider,
    request: FastifyRequest,
    reply: FastifyReply,
    destination: Destination,
    given: { username: string; wrong?: string },
  ) {
    const token = formToken(request, reply, server.issuer)
    const html = loginPage(destination, { ...given, token, hint: served.hint })
    return sendHtml(reply, ["'self'", ...destination.origins], html)
  }
}

const parametersOf = ({ url }: FastifyRequest): URLSearchParams => new URL(url, "http://localhost").searchParams

const wordsOf = ({ code, detail, retryAfter = 0 }: Problem<string>): string =>
  code === "too-many-attempts" ? `${detail}. Try again in ${Math.ceil(retryAfter / 60)} minutes.` : `${detail}.`
