import { problemPage } from "../../web/console/outside.ts"
import type { Invocable } from "../operations/invoke.ts"
import type { Operating } from "../operations/operating.ts"
import type { Route } from "../pipeline/exchange.ts"
import { createRouter, type Router } from "../pipeline/router.ts"
import { redirect } from "../writing/page-response.ts"
import { createConsole } from "./console.ts"
import { rootOf } from "./cookies.ts"
import { failureOf } from "./failure.ts"
import { liveEvents } from "./live-events.ts"
import { nowhere, PageHandlers } from "./page-handlers.ts"
import type { About } from "./service.ts"
import { signInHandlers } from "./sign-in.ts"

/** The routes of the console, where people do what the API lets them do. */
export function consoleRoutes(operating: Operating, about: About, hint: string | undefined): Router {
  const router = createRouter()
  const console = createConsole(operating, about, hint)
  const { pages, publicUrl } = console
  const handlers = new PageHandlers(console)
  const { showForm, signIn, signOut } = signInHandlers(console)

  /** Errors before authentication, such as too many requests from an address. */
  const respondToError: NonNullable<Route["respondToError"]> = (exchange, error) => {
    exchange.isReadableAnywhere = false
    const told = failureOf(exchange, operating.toProblem(exchange, error))
    return problemPage({ ...told, root: rootOf(publicUrl()) })
  }

  function add(method: "GET" | "POST", path: string, handle: Route["handle"], isUpload = false): void {
    const handlePrivately: Route["handle"] = (exchange) => {
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
  const streamEvents = operating.invocables.find(({ endpoint }) => endpoint.streams) as Invocable
  add("GET", "/events/stream", liveEvents(console, streamEvents))
  add("GET", "/sign-in", showForm)
  add("POST", "/sign-in", signIn)
  add("POST", "/sign-out", signOut)
  add("GET", "/", () => redirect(rootOf(publicUrl())))
  add("GET", "/*", (exchange) => handlers.show(exchange, nowhere))
  return router
}
