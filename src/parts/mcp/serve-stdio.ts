import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server"
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio"
import { plain, type Service, type World } from "../../cli/command/command.ts"
import { explainFailure } from "../../cli/output/failure.ts"
import { Refused } from "../../client/client.ts"
import { basePath } from "../../core/kernel/network/path.ts"
import { readMessage, writeMessage } from "./message.ts"
import { offerTools } from "./offered-tools.ts"
import { createMcpServer } from "./server.ts"
import type { Further } from "./tools.ts"
import type { Toolset } from "./toolsets.ts"

type Chosen = { scopes: readonly string[]; toolsets: ReadonlySet<Toolset> | undefined; further: Further }

/** Serves the tools that these scopes allow on standard input and output (MCP), until the input ends. */
export async function serveTools({ service }: World, { scopes, toolsets, further }: Chosen, input: NodeJS.ReadStream) {
  const { url, clientOf } = service
  const hasFurther = scopes.includes("admin") && (await areServed(further, service))
  const source = {
    clientOf,
    readDescription: async () => (await fetch(`${url}${basePath}/openapi.json`)).text(),
  }
  const tools = offerTools(
    clientOf,
    { scopes: new Set(scopes), hasFurther, further, toolsets },
    (toolset) => `start petstore mcp --tools ${toolset}`,
    (error) => explainFailure(error, service, { json: false, paint: plain }).text.trimEnd(),
  )
  const serve = () => createMcpServer(source, tools)
  const serving = serveStdio(serve, { transport: transportOn(new StdioServerTransport()) })
  await new Promise((resolve) => input.once("end", resolve).once("close", resolve))
  await serving.close()
}

/** The messages that clients mean, in both directions. */
function transportOn(wire: Transport): Transport {
  const transport: Transport = {
    start() {
      wire.onmessage = (message, extra) => transport.onmessage?.(readMessage(message) as JSONRPCMessage, extra)
      wire.onclose = () => transport.onclose?.()
      wire.onerror = (error) => transport.onerror?.(error)
      return wire.start()
    },
    send: (message, options) => wire.send(writeMessage(message), options),
    close: () => wire.close(),
  }
  return transport
}

/** Whether the service has these operations, of which one that only reads is run. */
async function areServed(further: Further, { clientOf }: Service): Promise<boolean> {
  const [name = ""] = Object.entries(further).find(([, { method, params }]) => method === "GET" && !params) ?? []
  try {
    await clientOf(further)[name]?.()
    return true
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return false
    throw error
  }
}
