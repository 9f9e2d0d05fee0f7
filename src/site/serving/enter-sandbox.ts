import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { redirect } from "../../server/writing/page-response.ts"
import { calledUnless } from "../pages/console/call.ts"
import { callerOf } from "./caller.ts"
import type { Console } from "./console.ts"
import { consoleCookies, consolePath } from "./cookies.ts"
import { anonymousVisitor } from "./visitor.ts"

/**
 * Leads to the console of a named sandbox and signs the visitor in as its sample administrator, unless that user was changed. Throws
 * the 404 for an unknown sandbox.
 */
export async function enterSandbox(
  { sandbox, samplePeople }: Console,
  exchange: Exchange,
  name: string,
): Promise<HttpResponse> {
  const api = sandbox?.hold(exchange, name)
  if (!api) throw new Problem("sandbox-not-found", `There is no sandbox ${name}`)
  const { publicUrl, clock, policy } = api.ports
  const admin = samplePeople.find(({ role }) => role === "admin")
  if (admin) {
    const { username, password } = admin
    const logIn = callerOf({ ...api, admit: api.admitKnown })(anonymousVisitor(exchange)).logIn
    const called = await calledUnless(["invalid-credentials"], logIn({ body: { username, password } }))
    if (called) consoleCookies(publicUrl, clock.now).signIn(exchange, called.value, policy.sessionMs / 1000)
  }
  return redirect(consolePath(publicUrl()))
}
