import type { Caller } from "../../domain/accounts/model.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Operating } from "../operations/operating.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { Visitor } from "./caller.ts"
import type { consoleCookies } from "./cookies.ts"

/** A signed-in visitor. */
export type Person = Visitor & { caller: Caller & { user: NonNullable<Caller["user"]> }; token: string }

/** An anonymous visitor, even if the request has cookies. */
export const anonymousVisitor = ({ request, address, id }: Exchange): Visitor => ({
  ...{ request, address, id },
  caller: undefined,
  token: undefined,
})

/** Finds the signed-in person of a browser, with the same check of the session as the API; undefined when there is none. */
export const personFinder =
  ({ authenticate }: Pick<Operating, "authenticate">, cookies: ReturnType<typeof consoleCookies>) =>
  async (exchange: Exchange): Promise<Person | undefined> => {
    const { request, address, id } = exchange
    const token = cookies.token(exchange)
    if (token === undefined) return undefined
    try {
      const { socket } = request
      const { caller } = await authenticate({ headers: { authorization: `Bearer ${token}` }, socket }, address)
      const { user, credential } = caller
      if (!user || credential.kind !== "session") return undefined
      exchange.caller = caller
      return { request, address, id, caller: { ...caller, user }, token }
    } catch (error) {
      if (error instanceof Problem && error.code === "unauthorized") return undefined
      throw error
    }
  }
