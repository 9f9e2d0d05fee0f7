import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import type { Exchange, HttpRoute } from "../../../core/server/exchange/exchange.ts"
import { redirect } from "../../../core/server/writing/page-response.ts"
import { type SignInFailure, signInPage } from "../../oauth/pages/sign-in-page.ts"
import { signInHelp } from "../../oauth/server/sign-in-help.ts"
import { consolePath } from "../../site/serving/cookies.ts"
import { failureOf } from "../../site/serving/failure.ts"
import { browserToken, readEndedForm, readForm, sessionToken } from "../../site/serving/forms.ts"
import type { Console } from "../console.ts"
import { reloadPage } from "../pages/outside.ts"

const expired = "This page has expired. Sign in again."
const purpose = "to see and manage your data in the store"
/** For a person who sent a form after the session had ended. */
export const sessionEnded = "Your session ended; nothing was saved."

/** The pages that start and end a session: a login like `POST /user/login`, whose token is kept in a cookie. */
export function consoleSignInHandlers({
  publicUrl,
  api,
  cookies,
  callAs,
  findVisitor,
  samplePeople,
  service,
}: Console) {
  const maxAgeSeconds = api.ports.policy.sessionMs / 1000

  async function show(exchange: Exchange, shown: { username: string; failure?: SignInFailure }) {
    const help = await signInHelp(api.ports.store, samplePeople)
    const next = new URLSearchParams(exchange.query).get("next") ?? ""
    const notice = cookies.keptForm(exchange, next) && sessionEnded
    const { area, links } = service.site
    const form = {
      ...shown,
      ...help,
      root: "..",
      area,
      links: links(),
      continuing: purpose,
      origins: [],
      mayCancel: false,
      notice,
    }
    return signInPage(form, browserToken(exchange, `${publicUrl()}/console`))
  }

  const showForm: HttpRoute["handle"] = async (exchange) =>
    (await findVisitor(exchange))
      ? redirect(destinationOf(exchange, consolePath(publicUrl())))
      : show(exchange, { username: "" })

  const signIn: HttpRoute["handle"] = async (exchange) => {
    const form = await readForm(exchange, { publicUrl: publicUrl() })
    if (!form) return show(exchange, { username: "", failure: { message: expired, status: 403 } })
    const [username, password] = [form.get("username") ?? "", form.get("password") ?? ""]
    try {
      const { value: token } = await callAs(exchange).logIn({ body: { username, password } })
      // Signs out the previous person of this browser.
      const before = await findVisitor(exchange)
      if (before) await callAs(exchange, before).logOut()
      cookies.signIn(exchange, token, maxAgeSeconds)
      return redirect(destinationOf(exchange, consolePath(publicUrl())))
    } catch (error) {
      return show(exchange, { username, failure: failureOf(exchange, api.toProblem(exchange, error)) })
    }
  }

  /** Ends the session, as `POST /user/logout` does, and removes its cookies. */
  const signOut: HttpRoute["handle"] = async (exchange) => {
    const visitor = await findVisitor(exchange)
    const token = visitor && sessionToken(visitor.token)
    const form = await readForm(exchange, { publicUrl: publicUrl(), token })
    if (visitor && !form) return redirect(consolePath(publicUrl()))
    if (visitor) await callAs(exchange, visitor).logOut()
    cookies.signOut(exchange)
    return redirect(`${consolePath(publicUrl())}/sign-in`)
  }

  return { showForm, signIn, signOut }
}

/** Starts a new session of a sample user, whose password is public; other users sign in themselves. */
export async function signInAgain(
  { api, cookies, callAs, samplePeople }: Console,
  exchange: Exchange,
  username: string,
): Promise<void> {
  const sample = samplePeople.find((person) => person.username === username)
  if (!sample) return cookies.signOut(exchange)
  const { value: token } = await callAs(exchange).logIn({
    body: { username, password: sample.password },
  })
  cookies.signIn(exchange, token, api.ports.policy.sessionMs / 1000)
}

/** Redirects a visitor to the sign-in page, which leads back to the requested page, and to that of a form with what was entered. */
export async function toSignIn(
  { cookies, publicUrl, service: { site } }: Pick<Console, "cookies" | "publicUrl" | "service">,
  exchange: Exchange,
): Promise<HttpResponse> {
  const { request, method, query } = exchange
  // The browser sends no strict cookie with a link from another site; it does when a page of the service reloads.
  if (method === "GET" && request.headers["sec-fetch-site"] === "cross-site") return reloadPage(site.links())
  const path = exchange.path.replace(/^\/console/, "")
  const signIn = `${consolePath(publicUrl())}/sign-in`
  if (method === "GET" || method === "HEAD") return redirect(withNext(signIn, path + (query === "" ? "" : `?${query}`)))
  const fields = await readEndedForm(exchange, publicUrl())
  if (!fields) return redirect(signIn)
  cookies.keepForm(exchange, { path, fields })
  return redirect(withNext(signIn, path))
}

const withNext = (signIn: string, next: string): string =>
  next === "" ? signIn : `${signIn}?${new URLSearchParams({ next })}`

/** The path of the console's page that was requested before sign-in: never a page of another site or outside the console. */
function destinationOf({ query }: Pick<Exchange, "query">, root: string): string {
  const next = new URLSearchParams(query).get("next") ?? ""
  if (!/^\/[\x21-\x7e]*$/.test(next)) return root
  // Resolved as a browser does: `..` may be written in several ways.
  const { pathname, search, hash } = new URL(root + next, "http://console.invalid")
  return pathname.startsWith(`${root}/`) ? pathname + search + hash : root
}
