import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { Refused } from "../../client/client.ts"
import { basePath } from "../../kernel/network/path.ts"
import { createMcpServer } from "../../mcp/server.ts"
import { chooseTools } from "../../mcp/tools.ts"
import type { Toolset } from "../../mcp/toolsets.ts"
import { plain, type Service, type World } from "../command/command.ts"
import { explainFailure } from "../output/failure.ts"

type Chosen = { scopes: readonly string[]; toolsets: ReadonlySet<Toolset> | undefined }

/** Serves the tools that these scopes allow on standard input and output (MCP), until the input ends. */
export async function serveTools({ service, version }: World, { scopes, toolsets }: Chosen, input: NodeJS.ReadStream) {
  const { client, url } = service
  const isSandbox = scopes.includes("admin") && (await hasClock(client))
  const tools = chooseTools({ scopes: new Set(scopes), isSandbox, toolsets })
  const serving = serveStdio(() =>
    createMcpServer({
      version,
      tools,
      client,
      readDescription: async () => (await fetch(`${url}${basePath}/openapi.json`)).text(),
      explain: (error) => explainFailure(error, service, { json: false, paint: plain }).text.trimEnd(),
    }),
  )
  await new Promise((resolve) => input.once("end", resolve).once("close", resolve))
  await serving.close()
}

/** Whether the service is a sandbox: production has no such operation. */
export async function hasClock(client: Pick<Service["client"], "getClock">): Promise<boolean> {
  try {
    await client.getClock()
    return true
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return false
    throw error
  }
}
