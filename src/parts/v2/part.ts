import type { Part, StorePart } from "../../core/assembly/part.ts"
import { api as contract } from "../../core/domain/api.ts"
import { operationsOfV2 } from "../../core/domain/operations.ts"
import { descriptionsOfV2 } from "./descriptions.ts"
import { pathsOfV2 } from "./endpoints.ts"
import { addV2 } from "./routes.ts"

const openStore = (): StorePart => ({
  addRoutes: (router, { api }) => addV2(router, { api: contract, operations: operationsOfV2 }, api.routeOf),
})

/** The paths of the classic v2, whose operations are those of v3. */
export const v2Part: Part = {
  name: "v2",
  needs: ["descriptions"],
  preload: [() => import("./swagger.ts")],
  open: ({ config }) => (config.hasV2 ? { describe: descriptionsOfV2, paths: pathsOfV2(contract), openStore } : {}),
}
