import type { OpenStore, Part, ServedStore } from "../../core/assembly/part.ts"
import { readLastBackup } from "../../core/disk/last-backup.ts"
import type { Router } from "../../core/server/exchange/router.ts"
import { version } from "../../program.ts"
import { consoleCookies } from "../site/serving/cookies.ts"
import { visitorFinder } from "../site/serving/visitor.ts"
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

function add(router: Router, { shared, opened, http, ...served }: ServedStore): void {
  const { api, name, requireReady, traffic, metrics, imageOrigin } = served
  const { config, samples } = shared
  const { ports } = opened
  const cookies = consoleCookies(ports.publicUrl, ports.clock.now)
  const { samplePeople } = samples
  const isMain = name === undefined
  const about: About = {
    version,
    area: name,
    hasPublicStore: config.hasPublicStore,
    imageOrigin,
    runsOn: isMain ? { "Node.js": process.version.slice(1), Database: ports.store.product } : {},
    lastBackup: () => (isMain ? readLastBackup(config.dataDir) : undefined),
    metrics,
  }
  const given = {
    api: { ...api, toProblem: http.toProblem, traffic, requireReady },
    cookies,
    findVisitor: visitorFinder(api, cookies, samplePeople),
    samplePeople,
  }
  // Not loaded by the start, of which it would take a tenth.
  router.addPart("/console", {
    isPage: true,
    async load() {
      const { createConsole } = await import("./console.ts")
      const { consoleRoutes } = await import("./routes.ts")
      return consoleRoutes(createConsole(about, { ...given, extension: await consoleExtensions.get(opened)?.() }))
    },
  })
}
