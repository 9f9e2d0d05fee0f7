import type { Route } from "../pipeline/exchange.ts"
import { redirect } from "../writing/page-response.ts"
import type { Console } from "./console.ts"
import { formTokenOf, rootOf } from "./cookies.ts"
import { readSessionForm, requireOwnPage } from "./own-forms.ts"

/** Ends the session, as `POST /user/logout` does, and forgets it in this browser. */
export const signOutHandler =
  ({ publicUrl, cookies, callAs, findVisitor }: Console): Route["handle"] =>
  async (exchange) => {
    requireOwnPage(exchange, publicUrl())
    const visitor = await findVisitor(exchange)
    if (visitor) {
      const form = await readSessionForm(exchange, formTokenOf(visitor.token), false)
      if (!form) return redirect(rootOf(publicUrl()))
      await callAs(visitor).logOut()
    }
    cookies.signOut(exchange)
    return redirect(`${rootOf(publicUrl())}/sign-in`)
  }
