import { consoleProblemPage } from "../../web/console/outside.ts"
import { consolePages as pages } from "../../web/console/pages.ts"
import type { Invocable } from "../operations/invoke.ts"
import type { Operating } from "../operations/operating.ts"
import type { Route } from "../pipeline/exchange.ts"
import { createRouter, type Router } from "../pipeline/router.ts"
import { redirect } from "../writing/page-response.ts"
import { callerOf } from "./caller.ts"
import type { Console } from "./console.ts"
import { consoleCookies, rootOf } from "./cookies.ts"
import { exportRoom } from "./export-room.ts"
import { failureOf } from "./failure.ts"
import { liveEvents } from "./live-events.ts"
import { nowhere, PageHandlers } from "./page-handlers.ts"
import { pageUploads } from "./page-uploads.ts"
import { type About, describeService } from "./service.ts"
import { signInHandlers } from "./sign-in.ts"
import { personFinder } from "./visitor.ts"

/** What the console is made of besides its pages. */
export type ConsoleServed = {
  operating: Operating
  about: About
  hint: string | undefined
}

/** The routes of the console, below `mounted`. */
export function consoleRoutes(mounted: string, served: ConsoleServed): Router {
  const { operating, about, hint } = served
  const router = createRouter()
  const { publicUrl, clock } = operating.ports
  const cookies = consoleCookies(publicUrl, clock.now)
  const console: Console = {
    ...{ pages, operating, cookies, publicUrl, hint },
    service: describeService(operating, about),
    callAs: callerOf({ ...operating, admit: operating.admitKnown }),
    findPerson: personFinder(operating, cookies),
    receive: pageUploads(operating),
    takeExportPlace: exportRoom(),
  }
  const handlers = new PageHandlers(console)
  const { showForm, signIn, signOut } = signInHandlers(console)

  /** What is refused before it is known who asks, such as too many requests of an address. */
  const respondToError: NonNullable<Route["respondToError"]> = (exchange, error) => {
    exchange.isReadableAnywhere = false
    const told = failureOf(exchange, operating.toProblem(exchange, error))
    return consoleProblemPage({ ...told, root: rootOf(publicUrl()) })
  }

  function add(method: "GET" | "POST", path: string, handle: Route["handle"], isUpload = false): void {
    const handlePrivately: Route["handle"] = (exchange) => {
      exchange.isReadableAnywhere = false
      return handle(exchange)
    }
    // Administrative: where everybody knows a password, a page whose name was made to lead here could sign in by itself.
    const more = { isAdministrative: true, isUpload, handle: handlePrivately, respondToError }
    router.add([method], mounted + path, { admission: "files", ...more })
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
