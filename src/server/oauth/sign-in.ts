import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Provider } from "oidc-provider"
import type { Attempts } from "../../domain/sessions/attempts.ts"
import { signIn } from "../../domain/sessions/sign-in.ts"
import type { Store } from "../../domain/store.ts"
import type { Passwords } from "../../domain/users/passwords.ts"
import { Problem, Refusal } from "../../kernel/problem.ts"
import { kindOf } from "../problems.ts"
import { type Asking, askingOf, grantOf } from "./consent.ts"
import { consentPage } from "./consent-page.ts"
import { errors } from "./library.ts"
import { loginPage } from "./login-page.ts"
import { errorPage, pageHeaders } from "./pages.ts"

export type SigningIn = {
  store: Store
  passwords: Passwords
  attempts: Attempts
  publicUrl(): string
  /** Said below the form; the sandbox tells its sample user. */
  hint: string | undefined
}

/** The two pages a person sees on the way: who are you, and may this application do that. */
export function servePeople(app: FastifyInstance, url: string, provider: () => Promise<Provider>, served: SigningIn) {
  app.get(url, async (request, reply) => {
    const asking = await current(await provider(), request, reply)
    return asking && sendPage(reply, asking, pageFor(asking, served.hint))
  })

  app.post(url, async (request, reply) => {
    requireOwnForm(request, served.publicUrl())
    const server = await provider()
    const asking = await current(server, request, reply)
    if (!asking) return reply
    const form = new URLSearchParams(String(request.body ?? ""))
    const finish = async (result: Parameters<Provider["interactionResult"]>[2]) =>
      reply
        .header("cache-control", "no-store")
        .redirect(await server.interactionResult(request.raw, reply.raw, result), 303)

    if (form.get("answer") === "deny")
      return finish({ error: "access_denied", error_description: "the person declined" })
    if (asking.prompt === "consent")
      return finish({ consent: { grantId: await (await grantOf(server, asking)).save() } })

    const username = form.get("username") ?? ""
    const found = await signIn(served, { username, password: form.get("password") ?? "", address: request.address })
    if (!(found instanceof Refusal)) return finish({ login: { accountId: String(found.user.id) } })
    if (found.retryAfter !== undefined) reply.header("retry-after", found.retryAfter)
    reply.code(kindOf(found.code).status)
    return sendPage(reply, asking, loginPage(asking, { username, wrong: wordsOf(found), hint: served.hint }))
  })

  async function current(server: Provider, request: FastifyRequest, reply: FastifyReply): Promise<Asking | undefined> {
    try {
      const details = await server.interactionDetails(request.raw, reply.raw)
      return await askingOf(server, served.store, details)
    } catch (error) {
      if (!(error instanceof errors.OIDCProviderError)) throw error
      sendHtml(reply.code(400), [], errorPage("session_not_found", "This page has expired, or was opened elsewhere."))
      return undefined
    }
  }
}

const pageFor = (asking: Asking, hint: string | undefined): string =>
  asking.prompt === "login" ? loginPage(asking, { username: asking.loginHint, hint }) : consentPage(asking)

const wordsOf = ({ code, detail, retryAfter = 0 }: Refusal<string>): string =>
  code === "too-many-attempts" ? `${detail}. Try again in ${Math.ceil(retryAfter / 60)} minutes.` : `${detail}.`

/**
 * The cookie that names the interaction is SameSite=Lax, so another site's form comes without it; a browser that says
 * where a form is from is held to it besides.
 */
function requireOwnForm({ headers }: FastifyRequest, publicUrl: string): void {
  const { origin } = headers
  if (origin === undefined || origin === "null" || origin === new URL(publicUrl).origin) return
  throw new Problem("forbidden", "This form can be sent from its own page only")
}

function sendPage(reply: FastifyReply, { redirectOrigin }: Asking, html: string): FastifyReply {
  return sendHtml(reply, ["'self'", redirectOrigin], html)
}

function sendHtml(reply: FastifyReply, formTargets: string[], html: string): FastifyReply {
  return reply.removeHeader("access-control-allow-origin").headers(pageHeaders(formTargets)).send(html)
}
