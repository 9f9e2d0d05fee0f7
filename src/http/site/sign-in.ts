import { signInPage } from "../../web/oauth/sign-in-page.ts"
import type { Exchange, Route } from "../pipeline/exchange.ts"
import { redirect } from "../writing/page-response.ts"
import { kindOf, wordsOf } from "../writing/problem-response.ts"
import { askerOf } from "./caller.ts"
import type { Console } from "./console.ts"
import { rootOf } from "./cookies.ts"
import { formToken, readTokenForm } from "./form-token.ts"
import { requireOwnPage } from "./own-forms.ts"

/** The page that begins a session: a login like `POST /user/login`, whose token stays in a cookie. */
export function signInHandlers({ publicUrl, operating, cookies, callAs, findVisitor, hint }: Console) {
  const maxAgeSeconds = operating.ports.policy.sessionMs / 1000

  const GET: Route["handle"] = async (exchange) => {
    if (await findVisitor(exchange)) return redirect(destinationOf(exchange, rootOf(publicUrl())))
    return show(exchange, { username: "" })
  }

  const POST: Route["handle"] = async (exchange) => {
    requireOwnPage(exchange, publicUrl())
    const form = await readTokenForm(exchange)
    if (!form) return show(exchange, { username: "", failure: { message: expired, status: 403 } })
    const [username, password] = [form.get("username") ?? "", form.get("password") ?? ""]
    try {
      const { value: token } = await callAs(askerOf(exchange)).logIn({ body: { username, password } })
      await endSessionBefore(exchange)
      cookies.signIn(exchange, token, maxAgeSeconds)
      return redirect(destinationOf(exchange, rootOf(publicUrl())))
    } catch (error) {
      const problem = operating.toProblem(exchange, error)
      if (problem.retryAfter !== undefined) exchange.header("retry-after", String(problem.retryAfter))
      return show(exchange, { username, failure: { message: wordsOf(problem), status: kindOf(problem.code).status } })
    }
  }

  function show(exchange: Exchange, given: { username: string; failure?: { message: string; status: number } }) {
    const token = formToken(exchange, `${publicUrl()}/console`)
    const purpose = "to see and manage what is yours in the store"
    return signInPage({ ...given, clientName: undefined, purpose, origins: [], mayCancel: false, hint }, token)
  }

  /** Whoever was signed in with this browser is not any more. */
  async function endSessionBefore(exchange: Exchange): Promise<void> {
    const before = await findVisitor(exchange)
    if (before) await callAs(before).logOut()
  }

  return { GET, POST }
}

const expired = "This page has expired. Sign in again."

/** The page of the console they asked for before they signed in, as a path: never a page of another site, or outside of the console. */
export function destinationOf({ query }: Pick<Exchange, "query">, root: string): string {
  const next = new URLSearchParams(query).get("next") ?? ""
  if (!/^\/[\x21-\x7e]*$/.test(next)) return root
  // As a browser resolves it: `..` may be written in several ways.
  const { pathname, search, hash } = new URL(root + next, "http://console.invalid")
  return pathname.startsWith(`${root}/`) ? pathname + search + hash : root
}
