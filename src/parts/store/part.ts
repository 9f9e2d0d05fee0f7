import type { Part, ServedStore } from "../../core/assembly/part.ts"
import type { Router } from "../../core/server/exchange/router.ts"
import { version } from "../../program.ts"
import { siteOf } from "../site/part.ts"
import { addEntrance, addStore } from "./serve.ts"

/** The pets and their events as anonymous visitors see them. */
export const storePart: Part = {
  name: "store",
  needs: ["site"],
  open: ({ config }) => ({
    openStore: () => ({
      pages: { paths: ["/", "/pets", "/store"], add: config.hasPublicStore ? add : addEntrance },
    }),
  }),
}

function add(router: Router, served: ServedStore): void {
  const { shared, opened, api: storeApi, http, requireReady, traffic, imageOrigin } = served
  const { publicUrl } = opened.ports
  const { knownKeys, samplePeople } = shared.samples
  const api = { ...storeApi, toProblem: http.toProblem, traffic, requireReady }
  const site = siteOf(served)
  const shop = { version, publicUrl, knownKeys, samplePeople, imageOrigin, site }
  site.addLink({ name: "Store", path: "/" })
  addStore(router, shop, api, http.respondNotFound)
}
