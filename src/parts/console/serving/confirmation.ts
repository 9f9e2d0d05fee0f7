import { confirmPerson } from "../../../core/domain/users/confirmation.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { type Question, questionMain } from "../../site/pages/parts/question-main.ts"
import { failureOf } from "../../site/serving/failure.ts"
import type { Visitor } from "../../site/serving/visitor.ts"
import type { Console } from "../console.ts"
import { renderFrame } from "../pages/frame.ts"
import { type ConsolePage, hereOf, type Visit } from "../pages/page.ts"

const passwordField = "console-password"
const confirmedField = "console-confirmed"

type FormRequest = { exchange: Exchange; page: ConsolePage; visit: Visit; visitor: Visitor; form: URLSearchParams }

/**
 * Asks before an action that cannot be undone or creates a credential: what it would do, and for the password, unless that was given in
 * the last minutes, with the throttling and audit entries of operations that ask for it. The page keeps the fields of the form.
 * Undefined when the action may be done.
 */
export async function askFirst(console: Console, request: FormRequest): Promise<HttpResponse | undefined> {
  const { exchange, page, visit, visitor, form } = request
  const asked = page.asks?.[form.get("action") ?? ""]
  if (!asked) return undefined
  const [password, isConfirmed] = [form.get(passwordField), form.has(confirmedField)]
  for (const field of [passwordField, confirmedField]) form.delete(field)
  const ask = async (how: { needsPassword: boolean | undefined; problem?: Problem }) =>
    showQuestion(request, await asked.question(visit, form), how)
  if (password === null) {
    const needsPassword = asked.password && !console.cookies.isConfirmed(exchange, visitor.token)
    const isOver = isConfirmed || !asked.always
    return !needsPassword && isOver ? undefined : ask({ needsPassword })
  }
  const { store, passwords, attempts, clock } = console.api.ports
  const { address, id: requestId } = exchange
  const { caller } = visitor
  const proof = await confirmPerson({ caller, store, passwords, attempts, clock, address, requestId }, password)
  if (proof instanceof Problem) return ask({ needsPassword: true, problem: proof })
  console.cookies.confirm(exchange, visitor.token)
  return undefined
}

function showQuestion(
  { exchange, visit, form }: FormRequest,
  question: Question,
  { needsPassword, problem }: { needsPassword: boolean | undefined; problem?: Problem },
): HttpResponse {
  const failure = problem && failureOf(exchange, problem)
  const message = problem?.code === "current-password-required" ? "The password is wrong." : failure?.message
  const { username } = visit.person
  const main = questionMain({
    question,
    form,
    confirmed: confirmedField,
    cancelTo: visit.root + hereOf(visit),
    password: needsPassword ? { field: passwordField, username, message } : undefined,
  })
  return renderFrame({ visit, title: question.title, main, ...(failure && { status: failure.status }) })
}
