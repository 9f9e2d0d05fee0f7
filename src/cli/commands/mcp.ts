import type { OwnCommand } from "../command/command.ts"

export const mcp: OwnCommand = {
  name: "mcp",
  summary: "Serve the operations to a language model (Model Context Protocol)",
  description:
    "Speaks MCP on standard input and output. Each operation that the key's scopes allow is a tool, except uploads and deprecated " +
    "operations. Errors of the service are returned as tool errors.",

  async run(_given, world) {
    const { value: account } = await world.service.client.getOwnAccount()
    // Loaded here because no other command needs the SDK.
    const { serveTools } = await import("../mcp/serve.ts")
    await serveTools(world, account.scopes, process.stdin)
    return 0
  },
}
