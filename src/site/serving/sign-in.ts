import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange, HttpRoute } from "../../server/exchange/exchange.ts"
import { redirect } from "../../server/writing/page-response.ts"
import { reloadPage } from "../pages/console/outside.ts"
import { type SignInFailure, signInPage } from "../pages/oauth/sign-in-page.ts"
import type { Console } from "./console.ts"
import { consolePath } from "./cookies.ts"
import { failureOf } from "./failure.ts"
import { browserToken, readForm, sessionToken } from "./forms.ts"
import { signInHelp } from "./sign-in-help.ts"
import { anonymousVisitor } from "./visitor.ts"

const expired = "This page has expired. Sign in again."
const purpose = "to see and manage your data in the store"

/** The pages that start and end a session: a login like `POST /user/login`, whose token is kept in a cookie. */
export function consoleSignInHandlers({ publicUrl, api, cookies, callAs, findPerson, samplePeople }: Console) {
  const maxAgeSeconds = api.ports.policy.sessionMs / 1000

  async function show(exchange: Exchange, shown: { username: string; failure?: SignInFailure }) {
    const help = await signInHelp(api.ports.store, samplePeople)
    const form = { ...shown, ...help, root: "..", continuing: purpose, origins: [], mayCancel: false }
    return signInPage(form, browserToken(exchange, `${publicUrl()}/console`))
  }

  const showForm: HttpRoute["handle"] = async (exchange) =>
    (await findPerson(exchange))
      ? redirect(destinationOf(exchange, consolePath(publicUrl())))
      : show(exchange, { username: "" })

  const signIn: HttpRoute["handle"] = async (exchange) => {
    const form = await readForm(exchange, { publicUrl: publicUrl() })
    if (!form) return show(exchange, { username: "", failure: { message: expired, status: 403 } })
    const [username, password] = [form.get("username") ?? "", form.get("password") ?? ""]
    try {
      const { value: token } = await callAs(anonymousVisitor(exchange)).logIn({ body: { username, password } })
      // Signs out the previous person of this browser.
      const before = await findPerson(exchange)
      if (before) await callAs(before).logOut()
      cookies.signIn(exchange, token, maxAgeSeconds)
      return redirect(destinationOf(exchange, consolePath(publicUrl())))
    } catch (error) {
      return show(exchange, { username, failure: failureOf(exchange, api.toProblem(exchange, error)) })
    }
  }

  /** Ends the session, as `POST /user/logout` does, and removes its cookies. */
  const signOut: HttpRoute["handle"] = async (exchange) => {
    const person = await findPerson(exchange)
    const token = person && sessionToken(person.token)
    const form = await readForm(exchange, { publicUrl: publicUrl(), token })
    if (person && !form) return redirect(consolePath(publicUrl()))
    if (person) await callAs(person).logOut()
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
  const { value: token } = await callAs(anonymousVisitor(exchange)).logIn({
    body: { username, password: sample.password },
  })
  cookies.signIn(exchange, token, api.ports.policy.sessionMs / 1000)
}

/** Redirects a visitor to the sign-in page, which leads back to the requested page. */
export function toSignIn({ request, method, path, query }: Exchange, publicUrl: string): HttpResponse {
  // The browser sends no strict cookie with a link from another site; it does when a page of the service reloads.
  if (method === "GET" && request.headers["sec-fetch-site"] === "cross-site") return reloadPage()
  const wanted = path.replace(/^\/console/, "") + (query === "" ? "" : `?${query}`)
  const isPage = wanted !== "" && (method === "GET" || method === "HEAD")
  return redirect(`${consolePath(publicUrl)}/sign-in${isPage ? `?${new URLSearchParams({ next: wanted })}` : ""}`)
}

/** The path of the console's page that was requested before sign-in: never a page of another site or outside the console. */
function destinationOf({ query }: Pick<Exchange, "query">, root: string): string {
  const next = new URLSearchParams(query).get("next") ?? ""
  if (!/^\/[\x21-\x7e]*$/.test(next)) return root
  // Resolved as a browser does: `..` may be written in several ways.
  const { pathname, search, hash } = new URL(root + next, "http://console.invalid")
  return pathname.startsWith(`${root}/`) ? pathname + search + hash : root
}
