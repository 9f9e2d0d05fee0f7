import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { redirect } from "../../../core/server/writing/page-response.ts"
import { calledUnless } from "../../site/serving/call.ts"
import { callerOf } from "../../site/serving/caller.ts"
import { consoleCookies, consolePath } from "../../site/serving/cookies.ts"
import type { NamedSandboxes } from "../named/named.ts"
import { samplePeople } from "../seeds/users.ts"

/**
 * Leads to the console of a named sandbox and signs the visitor in as its sample administrator, unless that user was changed. Throws
 * the 404 for an unknown sandbox.
 */
export async function enterSandbox(
  sandboxes: Pick<NamedSandboxes, "hold">,
  exchange: Exchange,
  name: string,
): Promise<HttpResponse> {
  const api = await sandboxes.hold(exchange, name)
  if (!api) throw new Problem("sandbox-not-found", `There is no sandbox ${name}`)
  const { publicUrl, clock, policy } = api.ports
  const admin = samplePeople.find(({ role }) => role === "admin")
  if (admin) {
    const { username, password } = admin
    const logIn = callerOf(api, api.admitKnown)(exchange).logIn
    const called = await calledUnless(["invalid-credentials"], logIn({ body: { username, password } }))
    if (called) consoleCookies(publicUrl, clock.now).signIn(exchange, called.value, policy.sessionMs / 1000)
  }
  return redirect(consolePath(publicUrl()))
}
