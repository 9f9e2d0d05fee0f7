import type { OwnCommand } from "../command.ts"

export const mcp: OwnCommand = {
  name: "mcp",
  summary: "Offer the operations to a language model (Model Context Protocol)",
  description:
    "Speaks MCP on standard input and output. Each operation that the key's scopes allow is a tool, except those that take a " +
    "file or are deprecated; what the service refuses is told as the tool's error.",

  async run(_given, world) {
    const { value: account } = await world.service.client.getOwnAccount()
    // Only here: no other command needs the SDK.
    const { serveTools } = await import("../mcp/serve.ts")
    await serveTools(world, account.scopes, process.stdin)
    return 0
  },
}
