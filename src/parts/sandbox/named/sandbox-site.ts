import type { ServedStore, StorePart } from "../../../core/assembly/part.ts"
import { once } from "../../../core/kernel/flow/once.ts"
import { createRouter, type Router } from "../../../core/server/exchange/router.ts"
import { extendNamedConsole } from "../console/mount.ts"

/** Adds what parts add to a named sandbox. */
export async function addSandboxSite(
  router: Router,
  sandbox: Pick<ServedStore, "shared" | "opened" | "http" | "api" | "name">,
): Promise<void> {
  // A process has one count of requests, and is ready when its own store is.
  const served = { ...sandbox, requireReady: async () => [], traffic: () => [], metrics: [], imageOrigin: undefined }
  const { parts } = sandbox.opened
  extendNamedConsole(sandbox.opened)
  for (const part of parts) await part.addRoutes?.(router, served)
  addSandboxPages(router, parts, served)
}

/** The pages are made with the first request: programs need none of them. */
function addSandboxPages(router: Router, parts: readonly StorePart[], served: ServedStore): void {
  const load = once(async () => makePages(parts, served))
  for (const path of parts.flatMap((part) => part.pages?.paths ?? [])) router.addPart(path, { load })
}

function makePages(parts: readonly StorePart[], served: ServedStore): Router {
  const router = createRouter()
  for (const part of parts) part.pages?.add(router, served)
  return router
}
