import { type OwnCommand, one, UsageError } from "../command/command.ts"

export const mcp: OwnCommand = {
  name: "mcp",
  summary: "Serve the operations to a language model (Model Context Protocol)",
  description:
    "Speaks MCP on standard input and output, with the tools that most tasks need and the key's scopes allow. Errors of the service are " +
    "returned as tool errors. A service has the same tools at /mcp.",
  flags: [
    {
      name: "tools",
      value: "TOOLSETS",
      meaning:
        "All tools of these toolsets: pets, orders, users, webhooks, access, sandbox, or all, separated by commas",
    },
  ],

  async run(input, world) {
    // Loaded here because no other command needs them.
    const { readToolsets } = await import("../../mcp/toolsets.ts")
    const { serveTools } = await import("../mcp/serve.ts")
    const list = one(input, "tools")
    const toolsets = list === undefined ? undefined : readToolsets(list)
    if (toolsets && "refusal" in toolsets) throw new UsageError(`--tools: ${toolsets.refusal}`)
    const { value: account } = await world.service.client.getOwnAccount()
    await serveTools(world, { scopes: account.scopes, toolsets }, process.stdin)
    return 0
  },
}
