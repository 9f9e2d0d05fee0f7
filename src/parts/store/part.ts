import type { Part, ServedStore } from "../../core/assembly/part.ts"
import type { Router } from "../../core/server/exchange/router.ts"
import { version } from "../../program.ts"
import { consoleCookies } from "../site/serving/cookies.ts"
import { visitorFinder } from "../site/serving/visitor.ts"
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

function add(router: Router, { shared, opened, api: storeApi, http, ...served }: ServedStore): void {
  const { name: area, requireReady, traffic, imageOrigin } = served
  const { publicUrl, clock } = opened.ports
  const { knownKeys, samplePeople } = shared.samples
  const api = { ...storeApi, toProblem: http.toProblem, traffic, requireReady }
  const shop = { version, publicUrl, knownKeys, samplePeople, imageOrigin, area }
  const findVisitor = visitorFinder(api, consoleCookies(publicUrl, clock.now), samplePeople)
  addStore(router, shop, api, findVisitor, http.respondNotFound)
}
