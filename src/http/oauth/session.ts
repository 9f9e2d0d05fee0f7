import type { Provider } from "oidc-provider"
import type { Account } from "../../domain/accounts/contract.ts"
import { type Caller, unbounded } from "../../domain/accounts/model.ts"
import { type Store, StoreUnavailable } from "../../domain/ports/store.ts"
import { roles } from "../../domain/scopes.ts"
import type { StoredUser } from "../../domain/users/store.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import { setCookie } from "../reading/cookies.ts"
import { noteSignIn } from "./acting.ts"
import { sessionSeconds } from "./provider.ts"

/** Who is signed in with this browser, as the store knows them now. */
export async function signedIn(server: Provider, store: Store, exchange: Exchange): Promise<StoredUser | undefined> {
  const { accountId } = await sessionOf(server, exchange)
  return accountId === undefined ? undefined : store.users.byId(Number(accountId))
}

/** The person as the caller of an operation, with the rights of their role. */
export async function callerOf(store: Store, { user, accountId }: StoredUser): Promise<Caller> {
  return {
    account: (await store.accounts.read(accountId)) as Account,
    ownerId: accountId,
    user: { id: user.id, username: user.username, role: user.role },
    credential: { kind: "signIn", id: user.id },
    scopes: new Set(roles[user.role]),
    bounds: { ...unbounded, userId: user.id },
  }
}

/** Signs a person in with this browser; whoever was before is not any more. */
export async function beginSession(server: Provider, exchange: Exchange, userId: number): Promise<void> {
  const before = await sessionOf(server, exchange)
  if (before.accountId !== undefined) await before.destroy()
  const session = new server.Session()
  session.loginAccount({ accountId: String(userId) })
  noteSignIn(userId)
  const value = await inOurWords(session.save(sessionSeconds))
  const { pathname: path, protocol } = new URL(server.issuer)
  const secure = protocol === "https:"
  const name = server.cookieName("session")
  exchange.header(
    "set-cookie",
    setCookie({ name, value, path, maxAgeSeconds: sessionSeconds, sameSite: "lax", secure }),
  )
}

const sessionOf = (server: Provider, { request, response }: Exchange) =>
  inOurWords(server.Session.get(server.createContext(request, response)))

/** Outside of the routes of oidc-provider the response to a failure of storage is the service's own. */
async function inOurWords<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw (error as Error).cause instanceof StoreUnavailable ? (error as Error).cause : error
  }
}
