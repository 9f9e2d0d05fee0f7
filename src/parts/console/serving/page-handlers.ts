import type { Caller } from "../../../core/domain/accounts/model.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { redirect } from "../../../core/server/writing/page-response.ts"
import { failureOf } from "../../site/serving/failure.ts"
import { readForm } from "../../site/serving/forms.ts"
import type { Visitor } from "../../site/serving/visitor.ts"
import type { Console } from "../console.ts"
import { type Framed, renderFrame } from "../pages/frame.ts"
import { problemMain } from "../pages/outside.ts"
import { type Action, type ConsolePage, maySeePage, type Visit } from "../pages/page.ts"
import { downloadResponse, renderStream } from "../pages/streams.ts"
import { askFirst } from "./confirmation.ts"
import { sessionEnded, signInAgain, toSignIn } from "./sign-in.ts"
import { visitOf } from "./visit.ts"

type PageRequest = { exchange: Exchange<Caller>; page: ConsolePage; visit: Visit; visitor: Visitor }

/** Shows the pages of the console to signed-in people, and handles their forms. */
export class PageHandlers {
  readonly #console: Console

  constructor(console: Console) {
    this.#console = console
  }

  show(exchange: Exchange<Caller>, page: ConsolePage): Promise<HttpResponse> {
    return this.#respond(exchange, page, async ({ visit }) => {
      const file = await page.download?.(visit)
      if (file) {
        this.#console.api.expectStream(exchange)
        return downloadResponse(file)
      }
      return (
        (await this.#showKept(exchange, page, visit)) ??
        this.#frame(visit, {
          title: page.title,
          main: await page.show(visit),
          notice: this.#console.cookies.takeNotice(exchange),
        })
      )
    })
  }

  /** The page with a form that was sent after its session had ended. */
  async #showKept(exchange: Exchange<Caller>, page: ConsolePage, visit: Visit): Promise<HttpResponse | undefined> {
    const { cookies } = this.#console
    const kept = cookies.keptForm(exchange, visit.path)
    if (!kept) return undefined
    cookies.dropForm(exchange)
    visit.failure = { problem: new Problem("unauthorized", sessionEnded), form: kept.fields }
    const main = await page.show(visit)
    return this.#frame(visit, { title: page.title, main, notice: { text: sessionEnded, isFailure: true } })
  }

  submit(exchange: Exchange<Caller>, page: ConsolePage): Promise<HttpResponse> {
    return this.#respond(exchange, page, async (request) => {
      const { token } = request.visit
      const publicUrl = this.#console.publicUrl()
      const form = await readForm(exchange, { publicUrl, token, takesFile: page.takesFile === true })
      if (!form) return this.#showExpired(request)
      const action = page.actions?.[form.get("action") ?? ""]
      if (!action) throw new Problem("invalid-parameter", "The page has no action for this form")
      return this.#act(request, action, form)
    })
  }

  /** Responds to a signed-in person; an error becomes a page too. */
  async #respond(
    exchange: Exchange<Caller>,
    page: ConsolePage,
    respond: (request: PageRequest) => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const visitor = await this.#console.findVisitor(exchange)
    if (!visitor) return toSignIn(this.#console, exchange)
    const visit = visitOf(this.#console, exchange, visitor)
    try {
      if (!maySeePage(page, visit)) throw absent()
      return await respond({ exchange, page, visit, visitor })
    } catch (error) {
      return this.#showProblem(exchange, visit, this.#console.api.toProblem(exchange, error))
    }
  }

  async #act(request: PageRequest, action: Action, form: URLSearchParams): Promise<HttpResponse> {
    const { exchange, visit } = request
    const { api } = this.#console
    try {
      await api.limitAccount(exchange)
      return (await askFirst(this.#console, { ...request, form })) ?? (await this.#perform(request, action, form))
    } catch (error) {
      const problem = api.toProblem(exchange, error)
      visit.failure = { problem, form }
      return this.#showAgain(request, problem)
    }
  }

  async #perform(
    { exchange, visit, page, visitor }: PageRequest,
    action: Action,
    form: URLSearchParams,
  ): Promise<HttpResponse> {
    const { api, cookies } = this.#console
    const { title } = page
    const done = await action(visit, form)
    if ("show" in done) return this.#frame(visit, { title, main: done.show })
    if ("pieces" in done) {
      api.expectStream(exchange)
      return renderStream(
        (main) => this.#frame(visit, { title, main }),
        done,
        (error) => api.toProblem(exchange, error),
      )
    }
    if ("response" in done) return done.response
    cookies.notify(exchange, done.notice)
    if (done.endsSessions) await signInAgain(this.#console, exchange, visit.person.username)
    if (done.account !== undefined) cookies.chooseAccount(exchange, visitor.token, done.account)
    return redirect(visit.root + (done.to === "/" ? "" : done.to))
  }

  /** The page with the problem, or the problem alone when the page itself no longer exists. */
  async #showAgain({ exchange, page, visit }: PageRequest, problem: Problem): Promise<HttpResponse> {
    try {
      const main = await page.show(visit)
      const { status, message: text } = failureOf(exchange, problem)
      return this.#frame(visit, { title: page.title, status, main, notice: { text, isFailure: true } })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return this.#showProblem(exchange, visit, problem)
    }
  }

  /** For a form of an expired session, or without one. */
  #showExpired({ exchange, visit }: PageRequest): HttpResponse {
    exchange.problem = "foreign-page"
    const [status, title] = [403, "This form has expired"]
    const detail = "It was opened before you signed in, or by another person. Nothing was changed. Open the page again."
    return this.#frame(visit, { title, status, main: problemMain({ status, title, detail, root: visit.root }) })
  }

  #showProblem(exchange: Exchange<Caller>, visit: Visit, problem: Problem): HttpResponse {
    const failure = failureOf(exchange, problem.code === "forbidden" ? absent() : problem)
    return this.#frame(visit, { ...failure, main: problemMain({ ...failure, root: visit.root }) })
  }

  #frame(visit: Visit, framed: Omit<Framed, "visit">): HttpResponse {
    return renderFrame({ visit, ...framed })
  }
}

/** A page that a person may not see responds like one that does not exist. */
const absent = () => new Problem("not-found", "This page does not exist, or you may not see it")

export const unknownPage: ConsolePage = {
  path: "/*",
  title: "Not found",
  scope: "any",
  show: () => Promise.reject(absent()),
}
