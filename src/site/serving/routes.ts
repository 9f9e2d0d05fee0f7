import type { HttpRoute } from "../../server/exchange/exchange.ts"
import { createRouter, type Router } from "../../server/exchange/router.ts"
import { redirect } from "../../server/writing/page-response.ts"
import { consoleProblemPage } from "../pages/console/outside.ts"
import { type ConsoleDeps, createConsole } from "./console.ts"
import { consolePath } from "./cookies.ts"
import { failureOf } from "./failure.ts"
import { liveEvents, liveRequests } from "./live-events.ts"
import { PageHandlers, unknownPage } from "./page-handlers.ts"
import { consoleSignInHandlers } from "./sign-in.ts"

export function consoleRoutes(deps: ConsoleDeps): Router {
  const { api } = deps
  const router = createRouter()
  const console = createConsole(deps)
  const { pages, publicUrl } = console
  const handlers = new PageHandlers(console)
  const { showForm, signIn, signOut } = consoleSignInHandlers(console)

  /** Errors before authentication, such as too many requests from an address. */
  const respondToError: NonNullable<HttpRoute["respondToError"]> = (exchange, error) => {
    exchange.isReadableAnywhere = false
    const failure = failureOf(exchange, api.toProblem(exchange, error))
    return consoleProblemPage({ ...failure, root: consolePath(publicUrl()) })
  }

  function add(method: "GET" | "POST", path: string, handle: HttpRoute["handle"], isUpload = false): void {
    const handlePrivately: HttpRoute["handle"] = (exchange) => {
      exchange.isReadableAnywhere = false
      return handle(exchange)
    }
    // Administrative: where passwords are public, a page with a name that resolves here could sign itself in.
    const more = { isAdministrative: true, isUpload, handle: handlePrivately, respondToError }
    router.add([method], `/console${path}`, { admission: "files", ...more })
  }

  for (const page of pages) {
    const path = page.path === "/" ? "" : page.path
    add("GET", path, (exchange) => handlers.show(exchange, page))
    if (page.actions) add("POST", path, (exchange) => handlers.submit(exchange, page), page.takesFile)
  }
  add("GET", "/events/stream", liveEvents(console))
  if (console.sandbox)
    for (const path of ["/requests", "/sandbox/:name/requests"]) add("GET", `${path}/stream`, liveRequests(console))
  add("GET", "/sign-in", showForm)
  add("POST", "/sign-in", signIn)
  add("POST", "/sign-out", signOut)
  add("GET", "/", () => redirect(consolePath(publicUrl())))
  add("GET", "/*", (exchange) => handlers.show(exchange, unknownPage))
  return router
}
