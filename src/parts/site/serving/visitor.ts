import { accountHeader } from "../../../core/api/authentication/acting-account.ts"
import type { Api } from "../../../core/api/operations/api.ts"
import type { Caller } from "../../../core/domain/accounts/model.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import type { SamplePerson } from "../sample-person.ts"
import type { ConsoleCookies } from "./cookies.ts"

/** The signed-in visitor of a page: a person, and the token of the session in their browser. */
export type Visitor = { caller: Caller & { user: NonNullable<Caller["user"]> }; token: string }

/** Finds the signed-in visitor, with the same check of the session as the API; undefined when there is none. */
export function visitorFinder(
  { authenticate }: Pick<Api, "authenticate">,
  cookies: ConsoleCookies,
  samplePeople: readonly SamplePerson[],
) {
  async function findCaller({ request, address }: Exchange, headers: Record<string, string>) {
    try {
      return (await authenticate({ headers, socket: request.socket }, address)).caller
    } catch (error) {
      // A chosen account may be gone after a reset.
      if (error instanceof Problem && ["unauthorized", "invalid-parameter"].includes(error.code)) return undefined
      throw error
    }
  }

  /** The account that an administrator acts for instead of their own. */
  function chosenAccount(exchange: Exchange, token: string, username: string): string | undefined {
    const atFirst = samplePeople.find((person) => person.username === username)?.account
    return cookies.account(exchange, token) ?? atFirst?.toString()
  }

  return async (exchange: Exchange): Promise<Visitor | undefined> => {
    const token = cookies.token(exchange)
    if (token === undefined) return undefined
    const headers = { authorization: `Bearer ${token}` }
    const own = await findCaller(exchange, headers)
    if (!own?.user || own.credential.kind !== "session") return undefined
    const account = own.scopes.has("admin") ? chosenAccount(exchange, token, own.user.username) : undefined
    const acting = account && (await findCaller(exchange, { ...headers, [accountHeader]: account }))
    const caller = { ...(acting || own), user: own.user }
    exchange.caller = caller
    return { caller, token }
  }
}
