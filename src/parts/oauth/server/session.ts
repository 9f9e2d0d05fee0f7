import type { Provider } from "oidc-provider"
import { DamagedRecord, StoreUnavailable } from "../../../core/domain/ports/store.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { setCookie } from "../../../core/server/reading/cookies.ts"
import { recordSignIn } from "./acting.ts"
import { sessionSeconds } from "./provider.ts"

/** Signs a person in with this browser, and signs out the previous one. */
export async function startSession(server: Provider, exchange: Exchange, userId: number): Promise<void> {
  const context = server.createContext(exchange.request, exchange.response)
  const before = await inOurWords(server.Session.get(context))
  if (before.accountId !== undefined) await before.destroy()
  const session = new server.Session()
  session.loginAccount({ accountId: String(userId) })
  recordSignIn(userId)
  const value = await inOurWords(session.save(sessionSeconds))
  const { pathname: path, protocol } = new URL(server.issuer)
  const [name, secure] = [server.cookieName("session"), protocol === "https:"]
  const cookie = setCookie({ name, value, path, maxAgeSeconds: sessionSeconds, sameSite: "lax", secure })
  exchange.header("set-cookie", cookie)
}

/** Outside oidc-provider's routes, unavailable storage, a damaged record and a reached limit get the service's own response. */
export async function inOurWords<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    const { cause } = error as Error
    throw [StoreUnavailable, DamagedRecord, Problem].some((known) => cause instanceof known) ? cause : error
  }
}
