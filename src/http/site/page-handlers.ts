import { Problem } from "../../kernel/problem.ts"
import { renderFrame } from "../../web/console/frame.ts"
import { problemMain } from "../../web/console/outside.ts"
import { type Action, type ConsolePage, type Failure, isAt, maySee, type Visit } from "../../web/console/page.ts"
import { downloadResponse, renderStream } from "../../web/console/streams.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import { redirect } from "../writing/page-response.ts"
import { kindOf } from "../writing/problem-response.ts"
import { passwordGate } from "./confirmation.ts"
import type { Console } from "./console.ts"
import { formTokenOf, rootOf } from "./cookies.ts"
import { exportRoom } from "./export-room.ts"
import { readSessionForm, requireOwnPage } from "./own-forms.ts"
import { pageUploads } from "./page-uploads.ts"
import { countFurther } from "./plan-use.ts"
import { toSignIn } from "./to-sign-in.ts"
import type { Visitor } from "./visitors.ts"

/** Shows the pages of the console and takes their forms, for people who are signed in. */
export function pageHandlers(made: Console) {
  const { pages, service, operating, cookies, callAs, findVisitor, publicUrl } = made
  const askPassword = passwordGate(made)
  const receive = pageUploads(operating)
  const takeExportPlace = exportRoom()

  /** Responds to somebody who is signed in; what goes wrong on the way is a page too. */
  const forVisitor =
    (respond: (exchange: Exchange, visit: Visit, visitor: Visitor, page: ConsolePage) => Promise<Response>) =>
    async (exchange: Exchange, page: ConsolePage) => {
      const visitor = await findVisitor(exchange)
      if (!visitor) return toSignIn(exchange, publicUrl())
      const visit = visitOf(exchange, visitor)
      try {
        if (!maySee(page, visit)) throw absent()
        return await respond(exchange, visit, visitor, page)
      } catch (error) {
        return showProblem(exchange, visit, operating.toProblem(exchange, error))
      }
    }

  const showPage = forVisitor(async (exchange, visit, _visitor, page) => {
    const file = await page.download?.(visit)
    if (file) {
      operating.expectStream(exchange)
      return downloadResponse(file)
    }
    const main = await page.show(visit)
    return renderFrame({ visit, pages, title: page.title, main, notice: cookies.takeNotice(exchange) })
  })

  const submitForm = forVisitor(async (exchange, visit, visitor, page) => {
    requireOwnPage(exchange, publicUrl())
    const form = await readSessionForm(exchange, visit.token, page.takesFile === true)
    if (!form) return showExpired(exchange, visit)
    const action = page.actions?.[form.get("action") ?? ""]
    if (!action) throw new Problem("invalid-parameter", "This form asks for something the page does not do")
    try {
      await operating.limitAccount(exchange)
      const question = action.asksPassword && (await askPassword(exchange, visit, visitor, form))
      return question ? question : await perform(exchange, visit, page, { action, form })
    } catch (error) {
      return showAgain(exchange, visit, page, { problem: operating.toProblem(exchange, error), form })
    }
  })

  async function perform(
    exchange: Exchange,
    visit: Visit,
    page: ConsolePage,
    { action, form }: { action: Action; form: URLSearchParams },
  ): Promise<Response> {
    const done = await action.run(visit, form)
    if ("show" in done) return renderFrame({ visit, pages, title: page.title, main: done.show })
    if ("pieces" in done) {
      operating.expectStream(exchange)
      const explain = (error: unknown) => operating.toProblem(exchange, error)
      return renderStream({ visit, pages, title: page.title }, done, explain)
    }
    cookies.notify(exchange, done.notice)
    return redirect(visit.root + (done.to === "/" ? "" : done.to))
  }

  /** The page with what went wrong; or that alone, when it went wrong because the page is not there any more. */
  async function showAgain(exchange: Exchange, visit: Visit, page: ConsolePage, failure: Failure): Promise<Response> {
    const { status } = kindOf(failure.problem.code)
    try {
      const main = await page.show({ ...visit, failure })
      sayWhenToRetry(exchange, failure.problem)
      const notice = { text: failure.problem.detail, isFailure: true }
      return renderFrame({ visit, pages, title: page.title, status, main, notice })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return showProblem(exchange, visit, failure.problem)
    }
  }

  /** For a form of a session that has ended, or of none. */
  function showExpired(exchange: Exchange, visit: Visit): Response {
    exchange.problem = "foreign-page"
    const [status, title] = [403, "This form has expired"]
    const detail = "It was opened before you signed in, or by somebody else. Nothing was changed: open the page again."
    return renderFrame({ visit, pages, title, status, main: problemMain({ status, title, detail, root: visit.root }) })
  }

  function showProblem(exchange: Exchange, visit: Visit, problem: Problem): Response {
    // Whatever somebody may not see is not there, to them.
    const { code, detail } = problem.code === "forbidden" ? absent() : problem
    const { status, title } = kindOf(code)
    sayWhenToRetry(exchange, problem)
    return renderFrame({ visit, pages, title, main: problemMain({ status, title, detail, root: visit.root }), status })
  }

  function visitOf(exchange: Exchange, visitor: Visitor): Visit {
    const root = rootOf(publicUrl())
    const { user, scopes } = visitor.caller
    return {
      ...{ person: user, scopes, params: exchange.params, root, service },
      query: new URLSearchParams(exchange.query),
      path: exchange.path.replace(/^\/console/, "") || "/",
      mayGo: (path) => pages.some((page) => isAt(page, path) && maySee(page, { person: user, scopes })),
      call: callAs(visitor),
      async beginDownload() {
        takeExportPlace(user.id, exchange)
        await operating.limitAccount(exchange)
      },
      countPage: () => countFurther(operating, visitor.caller, exchange),
      receive: (shape) => receive(visitor, shape),
      token: formTokenOf(visitor.token),
    }
  }

  const nowhere: ConsolePage = { path: "/*", title: "Not found", scope: "any", show: () => Promise.reject(absent()) }
  return { showPage, submitForm, showNotFound: (exchange: Exchange) => showPage(exchange, nowhere) }
}

function sayWhenToRetry(exchange: Exchange, { retryAfter }: Problem): void {
  if (retryAfter !== undefined) exchange.header("retry-after", String(retryAfter))
}

type Response = ReturnType<typeof redirect>

const absent = () => new Problem("not-found", "There is nothing here, or nothing that you may see")
