import type { Part } from "../../core/assembly/part.ts"
import { addMcp } from "./mcp.ts"

/** The operations as tools for language models. */
export const mcpPart: Part = {
  name: "mcp",
  needs: ["descriptions"],
  preload: [() => import("./server.ts"), () => import("./serve-message.ts")],
  open: () => ({
    openStore: () => ({
      addRoutes(router, { shared, http, api }) {
        const hasKnownKeys = shared.samples.knownKeys.length > 0
        const further = shared.parts.find(({ contract }) => contract)?.contract
        addMcp(router, { http, api, hasKnownKeys, further })
      },
    }),
  }),
}
