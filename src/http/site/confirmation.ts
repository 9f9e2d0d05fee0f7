import { confirmPerson } from "../../domain/users/confirmation.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import { renderFrame } from "../../web/console/frame.ts"
import type { Visit } from "../../web/console/page.ts"
import { passwordMain } from "../../web/console/password-main.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import { kindOf, wordsOf } from "../writing/problem-response.ts"
import type { Console } from "./console.ts"
import type { Visitor } from "./visitors.ts"

const passwordField = "console-password"

/**
 * Asks for the password before something dangerous, unless it was given in the last minutes: with the same throttling and the
 * same entries in the audit log as operations that ask for it. The form comes along, so that nothing is lost.
 */
export const passwordGate =
  ({ pages, operating, cookies }: Console) =>
  async (
    exchange: Exchange,
    visit: Visit,
    { caller, token, address, id }: Visitor,
    form: URLSearchParams,
  ): Promise<HttpResponse | undefined> => {
    const password = form.get(passwordField)
    form.delete(passwordField)
    if (password === null) return cookies.isConfirmed(exchange, token) ? undefined : ask()
    const { store, passwords, attempts, clock } = operating.ports
    const tools = { caller, store, passwords, attempts, clock, address, requestId: id }
    const proof = await confirmPerson(tools, password)
    if (proof instanceof Problem) return ask(proof)
    cookies.confirm(exchange, token)
    return undefined

    function ask(failure?: Problem) {
      const message =
        failure && (failure.code === "current-password-required" ? "The password is wrong." : wordsOf(failure))
      const main = passwordMain({ form, field: passwordField, username: visit.person.username, message })
      return renderFrame({
        ...{ visit, pages, title: "Your password", main },
        ...(failure && { status: kindOf(failure.code).status }),
      })
    }
  }
