import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import { type Framed, renderFrame } from "../../web/console/frame.ts"
import { problemMain } from "../../web/console/outside.ts"
import { type Action, type ConsolePage, maySeePage, type Visit } from "../../web/console/page.ts"
import { downloadResponse, renderStream } from "../../web/console/streams.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import { redirect } from "../writing/page-response.ts"
import { askPassword } from "./confirmation.ts"
import type { Console } from "./console.ts"
import { failureOf } from "./failure.ts"
import { readForm } from "./forms.ts"
import { toSignIn } from "./sign-in.ts"
import { visitOf } from "./visit.ts"
import type { Person } from "./visitor.ts"

type Asked = { exchange: Exchange; page: ConsolePage; visit: Visit; person: Person }

/** Shows the pages of the console and takes their forms, for people who are signed in. */
export class PageHandlers {
  readonly #console: Console

  constructor(console: Console) {
    this.#console = console
  }

  show(exchange: Exchange, page: ConsolePage): Promise<HttpResponse> {
    return this.#respond(exchange, page, async ({ visit }) => {
      const file = await page.download?.(visit)
      if (file) {
        this.#console.operating.expectStream(exchange)
        return downloadResponse(file)
      }
      const main = await page.show(visit)
      return this.#frame(visit, { title: page.title, main, notice: this.#console.cookies.takeNotice(exchange) })
    })
  }

  submit(exchange: Exchange, page: ConsolePage): Promise<HttpResponse> {
    return this.#respond(exchange, page, async (asked) => {
      const { token } = asked.visit
      const publicUrl = this.#console.publicUrl()
      const form = await readForm(exchange, { publicUrl, token, takesFile: page.takesFile === true })
      if (!form) return this.#showExpired(asked)
      const action = page.actions?.[form.get("action") ?? ""]
      if (!action) throw new Problem("invalid-parameter", "This form asks for something the page does not do")
      return this.#act(asked, action, form)
    })
  }

  /** Responds to a person; what goes wrong on the way is a page too. */
  async #respond(
    exchange: Exchange,
    page: ConsolePage,
    respond: (asked: Asked) => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const person = await this.#console.findPerson(exchange)
    if (!person) return toSignIn(exchange, this.#console.publicUrl())
    const visit = visitOf(this.#console, exchange, person)
    try {
      if (!maySeePage(page, visit)) throw absent()
      return await respond({ exchange, page, visit, person })
    } catch (error) {
      return this.#showProblem(exchange, visit, this.#console.operating.toProblem(exchange, error))
    }
  }

  async #act(asked: Asked, action: Action, form: URLSearchParams): Promise<HttpResponse> {
    const { exchange, visit } = asked
    const { operating } = this.#console
    try {
      await operating.limitAccount(exchange)
      const question =
        asked.page.asksPassword?.includes(form.get("action") ?? "") &&
        (await askPassword(this.#console, { ...asked, form }))
      return question || (await this.#perform(asked, action, form))
    } catch (error) {
      const problem = operating.toProblem(exchange, error)
      return this.#showAgain(asked, { ...visit, failure: { problem, form } }, problem)
    }
  }

  async #perform({ exchange, visit, page }: Asked, action: Action, form: URLSearchParams): Promise<HttpResponse> {
    const { operating, pages, cookies } = this.#console
    const { title } = page
    const done = await action(visit, form)
    if ("show" in done) return this.#frame(visit, { title, main: done.show })
    if ("pieces" in done) {
      operating.expectStream(exchange)
      return renderStream({ visit, pages, title }, done, (error) => operating.toProblem(exchange, error))
    }
    cookies.notify(exchange, done.notice)
    return redirect(visit.root + (done.to === "/" ? "" : done.to))
  }

  /** The page with what went wrong; or that alone, when it went wrong because the page is not there any more. */
  async #showAgain({ exchange, page }: Asked, visit: Visit, problem: Problem): Promise<HttpResponse> {
    try {
      const main = await page.show(visit)
      const { status, detail } = failureOf(exchange, problem)
      return this.#frame(visit, { title: page.title, status, main, notice: { text: detail, isFailure: true } })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return this.#showProblem(exchange, visit, problem)
    }
  }

  /** For a form of a session that has ended, or of none. */
  #showExpired({ exchange, visit }: Asked): HttpResponse {
    exchange.problem = "foreign-page"
    const [status, title] = [403, "This form has expired"]
    const detail = "It was opened before you signed in, or by somebody else. Nothing was changed: open the page again."
    return this.#frame(visit, { title, status, main: problemMain({ status, title, detail, root: visit.root }) })
  }

  #showProblem(exchange: Exchange, visit: Visit, problem: Problem): HttpResponse {
    const told = failureOf(exchange, problem.code === "forbidden" ? absent() : problem)
    return this.#frame(visit, { ...told, main: problemMain({ ...told, root: visit.root }) })
  }

  #frame(visit: Visit, framed: Omit<Framed, "visit" | "pages">): HttpResponse {
    return renderFrame({ visit, pages: this.#console.pages, ...framed })
  }
}

/** What a person may not see is not there, to them. */
const absent = () => new Problem("not-found", "There is nothing here, or nothing that you may see")

/** The page for a path where there is none. */
export const nowhere: ConsolePage = {
  ...{ path: "/*", title: "Not found", scope: "any" },
  show: () => Promise.reject(absent()),
}
