import type { OpenStore, Part, ServedStore } from "../../core/assembly/part.ts"
import { readLastBackup } from "../../core/disk/last-backup.ts"
import { once } from "../../core/kernel/flow/once.ts"
import type { Router } from "../../core/server/exchange/router.ts"
import { version } from "../../program.ts"
import { siteOf } from "../site/part.ts"
import type { ConsoleExtension } from "./extension.ts"
import type { About } from "./service.ts"

/** What another part adds to the console of a store, loaded with the console. */
export const consoleExtensions = new WeakMap<OpenStore, () => Promise<ConsoleExtension>>()

/** The pages on which people manage the store. */
export const consolePart: Part = {
  name: "console",
  needs: ["site", "oauth"],
  preload: [
    () => import("./pages/overview.ts"),
    () => import("./pages/pets/pets.ts"),
    () => import("./pages/webhooks/webhook.ts"),
    () => import("./console.ts"),
    () => import("./routes.ts"),
  ],
  open: () => ({ openStore: () => ({ pages: { paths: ["/console"], add } }) }),
}

function add(router: Router, served: ServedStore): void {
  const { shared, opened, http, api, name, requireReady, traffic, metrics, imageOrigin } = served
  const { config, samples } = shared
  const { ports } = opened
  const site = siteOf(served)
  site.addLink({ name: "Console", path: "/console" })
  const isMain = name === undefined
  const about: About = {
    version,
    site,
    imageOrigin,
    runsOn: isMain ? { "Node.js": process.version.slice(1), Database: ports.store.product } : {},
    lastBackup: () => (isMain ? readLastBackup(config.dataDir) : undefined),
    metrics,
  }
  const given = {
    api: { ...api, toProblem: http.toProblem, traffic, requireReady },
    samplePeople: samples.samplePeople,
  }
  // Not loaded by the start, of which it would take a tenth.
  const load = once(async () => {
    const { createConsole } = await import("./console.ts")
    return createConsole(about, { ...given, extension: await consoleExtensions.get(opened)?.() })
  })
  const loadFinder = once(async () => {
    const { find } = await import("./search/find.ts")
    return find
  })
  site.finders.push(async ({ exchange, visitor }, text) => {
    if (!visitor) return []
    const find = await loadFinder()
    return find(await load(), exchange, visitor, text)
  })
  router.addPart("/console", {
    isPage: true,
    async load() {
      const { consoleRoutes } = await import("./routes.ts")
      return consoleRoutes(await load())
    },
  })
}
