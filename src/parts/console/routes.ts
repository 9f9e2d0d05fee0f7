import type { Caller } from "../../core/domain/accounts/model.ts"
import type { Exchange, HttpRoute } from "../../core/server/exchange/exchange.ts"
import { createRouter, type Router } from "../../core/server/exchange/router.ts"
import { consolePath } from "../site/serving/cookies.ts"
import { failureOf } from "../site/serving/failure.ts"
import type { Console } from "./console.ts"
import { consoleProblemPage } from "./pages/outside.ts"
import { liveEvents, liveStream } from "./serving/live-events.ts"
import { PageHandlers, unknownPage } from "./serving/page-handlers.ts"
import { consoleSignInHandlers } from "./serving/sign-in.ts"

export function consoleRoutes(console: Console): Router {
  const router = createRouter()
  const { api, pages, publicUrl, service } = console
  const handlers = new PageHandlers(console)
  const { showForm, signIn, signOut } = consoleSignInHandlers(console)

  /** Errors before authentication, such as too many requests from an address. */
  const respondToError: NonNullable<HttpRoute["respondToError"]> = (exchange, error) => {
    exchange.isReadableAnywhere = false
    const failure = failureOf(exchange, api.toProblem(exchange, error))
    return consoleProblemPage({ ...failure, root: consolePath(publicUrl()), links: service.site.links() })
  }

  function add(method: "GET" | "POST", path: string, handle: HttpRoute["handle"], isUpload = false): void {
    const handlePrivately: HttpRoute["handle"] = (exchange) => {
      exchange.isReadableAnywhere = false
      return handle(exchange)
    }
    // Administrative: where passwords are public, a page with a name that resolves here could sign itself in.
    const more = { isPage: true, isAdministrative: true, isUpload, handle: handlePrivately, respondToError }
    router.add([method], `/console${path}`, { admission: "files", ...more })
  }

  for (const page of pages) {
    const path = page.path === "/" ? "" : page.path
    add("GET", path, (exchange: Exchange<Caller>) => handlers.show(exchange, page))
    if (page.actions) add("POST", path, (exchange: Exchange<Caller>) => handlers.submit(exchange, page), page.takesFile)
  }
  add("GET", "/events/stream", liveEvents(console))
  for (const stream of console.extension?.streams ?? []) add("GET", stream.path, liveStream(console, stream))
  add("GET", "/sign-in", showForm)
  add("POST", "/sign-in", signIn)
  add("POST", "/sign-out", signOut)
  add("GET", "/*", (exchange: Exchange<Caller>) => handlers.show(exchange, unknownPage))
  return router
}
