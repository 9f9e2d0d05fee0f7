import type { Caller } from "../../domain/accounts/model.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Operating } from "../operations/operating.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { Asker } from "./caller.ts"
import type { consoleCookies } from "./cookies.ts"

/** Somebody who is signed in. */
export type Visitor = Asker & { caller: Caller & { user: NonNullable<Caller["user"]> }; token: string }

/** Who is signed in with this browser, by the same look at the session as the interface takes; undefined when nobody is. */
export const visitorFinder =
  ({ authenticate }: Pick<Operating, "authenticate">, cookies: ReturnType<typeof consoleCookies>) =>
  async (exchange: Exchange): Promise<Visitor | undefined> => {
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
