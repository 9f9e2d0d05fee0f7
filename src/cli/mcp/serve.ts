import { Server } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import type { ClientResponse } from "../../client/client.ts"
import { nextCursor } from "../../client/pages.ts"
import { api } from "../../domain/api.ts"
import { plain, type Service, type World } from "../command/command.ts"
import { explainFailure } from "../output/failure.ts"
import { toRequest } from "./arguments.ts"
import { toolsOf } from "./tools.ts"

type Call = (request: object) => Promise<ClientResponse<unknown>>

/** Serves the operations that these scopes allow as MCP tools on standard input and output, until the input ends. */
export async function serveTools({ service, version }: World, scopes: readonly string[], input: NodeJS.ReadStream) {
  const tools = toolsOf(api, scopes)
  const known = new Set(tools.map(({ name }) => name))
  const serving = serveStdio(() => {
    const server = new Server({ name: "petstore", version }, { capabilities: { tools: {} } })
    server.setRequestHandler("tools/list", () => ({ tools }))
    server.setRequestHandler("tools/call", ({ params: { name, arguments: values = {} } }) =>
      known.has(name) ? callTool(service, name as keyof typeof api, values) : failed(`unknown tool ${name}`),
    )
    return server
  })
  await new Promise((resolve) => input.once("end", resolve).once("close", resolve))
  await serving.close()
}

const text = (text: string) => ({ type: "text" as const, text })
const failed = (why: string) => ({ isError: true, content: [text(why)] })

/** Returns the unchanged response, or the error for the model to act on. */
async function callTool(service: Service, name: keyof typeof api, values: Record<string, unknown>) {
  const outcome = toRequest(api[name], values)
  if ("refusals" in outcome) return failed(outcome.refusals.join("\n"))
  try {
    const response = await (service.client[name as keyof Service["client"]] as Call)(outcome.request)
    const cursor = nextCursor(response.headers)
    return {
      content: [text(response.text), ...(cursor === undefined ? [] : [text(`There is more: cursor ${cursor}`)])],
    }
  } catch (error) {
    return failed(explainFailure(error, service, { json: false, paint: plain }).text.trimEnd())
  }
}
