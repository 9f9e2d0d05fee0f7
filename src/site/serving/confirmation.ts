import { confirmPerson } from "../../domain/users/confirmation.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { renderFrame } from "../pages/console/frame.ts"
import type { Visit } from "../pages/console/page.ts"
import { passwordMain } from "../pages/parts/password-main.ts"
import type { Console } from "./console.ts"
import { failureOf } from "./failure.ts"
import type { Person } from "./visitor.ts"

const passwordField = "console-password"

type FormRequest = { exchange: Exchange; visit: Visit; person: Person; form: URLSearchParams }

/**
 * Asks for the password before a dangerous action, unless it was given in the last minutes, with the throttling and audit entries
 * of operations that ask for it. The page keeps the fields of the form.
 */
export async function requirePassword(console: Console, request: FormRequest): Promise<HttpResponse | undefined> {
  const { exchange, person, form } = request
  const password = form.get(passwordField)
  form.delete(passwordField)
  if (password === null)
    return console.cookies.isConfirmed(exchange, person.token) ? undefined : showPasswordPage(request)
  const { store, passwords, attempts, clock } = console.api.ports
  const { caller, address, id: requestId } = person
  const proof = await confirmPerson({ caller, store, passwords, attempts, clock, address, requestId }, password)
  if (proof instanceof Problem) return showPasswordPage(request, proof)
  console.cookies.confirm(exchange, person.token)
  return undefined
}

function showPasswordPage({ exchange, visit, form }: FormRequest, problem?: Problem): HttpResponse {
  const failure = problem && failureOf(exchange, problem)
  const message = problem?.code === "current-password-required" ? "The password is wrong." : failure?.message
  const main = passwordMain({ form, field: passwordField, username: visit.person.username, message })
  return renderFrame({ visit, title: "Your password", main, ...(failure && { status: failure.status }) })
}
