import type { Description } from "../../core/assembly/description.ts"
import type { Part, ServedStore } from "../../core/assembly/part.ts"
import { api } from "../../core/domain/api.ts"
import { Problem } from "../../core/kernel/problem.ts"
import type { Exchange } from "../../core/server/exchange/exchange.ts"
import type { Router } from "../../core/server/exchange/router.ts"
import { version } from "../../program.ts"
import { siteOf } from "../site/part.ts"
import { addPages as addSitePages } from "../site/serving/pages.ts"
import { descriptionsOf } from "./descriptions.ts"
import { addDescriptions, addReference } from "./mount.ts"
import { discoveryPages } from "./pages/discovery.ts"
import { findOperations } from "./pages/find-operations.ts"
import { openReference } from "./pages/reference.ts"

/** Documents that describe the API for programs, and the reference for people. */
export const descriptionsPart: Part = {
  name: "descriptions",
  needs: ["site"],
  preload: [
    () => import("./openapi/document.ts"),
    () => import("./openapi/in-version.ts"),
    () => import("./openapi/classic.ts"),
    () => import("./asyncapi.ts"),
    () => import("./arazzo.ts"),
    () => import("./postman.ts"),
    () => import("./http-file.ts"),
  ],
  open: () => ({
    docsPath: "/docs",
    openStore: () => ({ addRoutes, pages: { paths: ["/docs"], add: addPages } }),
  }),
}

const describe = ({ shared, opened }: ServedStore): readonly Description[] => {
  const sampleKey = shared.samples.knownKeys[0]?.secret
  const described = { api, version, publicUrl: opened.ports.publicUrl, sampleKey }
  return [...descriptionsOf(described), ...shared.parts.flatMap((part) => part.describe?.(described) ?? [])]
}

function addRoutes(router: Router, served: ServedStore): void {
  const { shared, opened, http, name } = served
  const described = describe(served)
  const { securityContact } = shared.config
  addDescriptions(router, described, name === undefined ? http : { respondNotFound: refuse })
  if (name !== undefined) return
  addSitePages(router, discoveryPages(described, opened.ports, securityContact), http)
}

function addPages(router: Router, served: ServedStore): void {
  const { shared, http } = served
  const { knownKeys, docsClientId } = shared.samples
  const site = siteOf(served)
  site.addLink({ name: "Reference", path: "/docs" })
  const reference = openReference({ site, api, knownKeys, docsClientId })
  site.assets.push(reference.scripts)
  site.finders.push(findOperations)
  const { respondNotFound } = http
  addReference(router, reference, { site, descriptions: describe(served), respondNotFound, isPage: true })
}

function refuse({ path }: Exchange): never {
  throw new Problem("not-found", `There is no resource at ${path}`)
}
