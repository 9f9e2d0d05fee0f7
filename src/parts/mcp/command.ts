import { type OwnCommand, one, UsageError } from "../../cli/command/command.ts"
import type { Further } from "./tools.ts"
import { readToolsets, toolsets } from "./toolsets.ts"

/** Serves the tools of the API and, where the service has them, of `further` operations. */
export const createMcp = (further: Further): OwnCommand => ({
  name: "mcp",
  summary: "Serve the operations to a language model (Model Context Protocol)",
  description:
    "Speaks MCP on standard input and output, with the tools that most tasks need and the key's scopes allow. Errors of the service are " +
    "returned as tool errors. A service has the same tools at /mcp.",
  flags: [
    {
      name: "tools",
      value: "TOOLSETS",
      meaning: `All tools of these toolsets: ${toolsets.join(", ")}, or all, separated by commas`,
    },
  ],

  async run(input, world) {
    // Loaded here because no other command needs it.
    const { serveTools } = await import("./serve-stdio.ts")
    const list = one(input, "tools")
    const named = list === undefined ? undefined : readToolsets(list)
    if (named && "refusal" in named) throw new UsageError(`--tools: ${named.refusal}`)
    const { value: account } = await world.service.client.getOwnAccount()
    await serveTools(world, { scopes: account.scopes, toolsets: named, further }, process.stdin)
    return 0
  },
})
