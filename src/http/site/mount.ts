import type { Router } from "../pipeline/router.ts"
import type { ConsoleServed } from "./routes.ts"

const mounted = "/console"

/**
 * Serves the console: pages for people of the service, each of whom may do there what the interface lets them do. It is loaded
 * when somebody first opens it: that takes a tenth of a start, and many never do.
 */
export function addConsole(router: Router, served: ConsoleServed): void {
  const load = async () => {
    const { consoleRoutes } = await import("./routes.ts")
    return consoleRoutes(mounted, served)
  }
  let routes: Promise<Router> | undefined
  router.addPart(mounted, () => {
    routes ??= load()
    return routes
  })
}
