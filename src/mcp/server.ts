// Decision: docs/decisions/mcp.md#one-server-for-http-and-standard-input

import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server"
import { findNearest } from "../kernel/did-you-mean.ts"
import { explainCall } from "./failure.ts"
import { prompts, writePrompt } from "./prompts.ts"
import { type ResourceSource, readResource, resources, resourceTemplates } from "./resources.ts"
import type { Tool } from "./tool.ts"
import { allTools } from "./tools.ts"

type ServerParts = ResourceSource & {
  version: string
  tools: readonly Tool[]
  /** What else went wrong with a call, as a text; rethrows what it cannot explain. */
  explain(error: unknown): string
}

/** Makes a server of the Model Context Protocol whose tools run operations of a service, each with the client's credential. */
export function createMcpServer(parts: ServerParts): Server {
  const { version, tools, explain } = parts
  const server = new Server(
    { name: "petstore", title: "Petstore", version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  )
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(({ listed }) => listed) }))
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: values = {} } }) => {
    const tool = tools.find(({ listed }) => listed.name === name)
    if (!tool) return failed(whyNotOffered(name) ?? refuse(`there is no tool ${name}${suggestion(name, tools)}`))
    try {
      const structuredContent = await tool.run(parts.client, values)
      return { structuredContent, content: [text(JSON.stringify(structuredContent))] }
    } catch (error) {
      return failed(explainCall(error, tool) ?? explain(error))
    }
  })
  server.setRequestHandler("resources/list", () => ({ resources: [...resources] }))
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...resourceTemplates] }))
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => readResource(uri, parts))
  server.setRequestHandler("prompts/list", () => ({ prompts: [...prompts] }))
  server.setRequestHandler(
    "prompts/get",
    ({ params: { name, arguments: values = {} } }) => writePrompt(name, values) ?? refuse(`there is no prompt ${name}`),
  )
  return server
}

const instructions =
  "Petstore keeps pets, orders for them, and their users. Look for a pet with listPets (category, status), then placeOrder: the pet becomes " +
  "pending, and sold when its order is delivered. Lists have items and, when there is more, nextCursor. patchPet and patchOrder change " +
  "only what is given. An error says what was wrong and how to call the tool. In a sandbox, reset, trigger, advance and requests " +
  "prepare and inspect a test."

const text = (text: string) => ({ type: "text" as const, text })
const failed = (why: string) => ({ isError: true, content: [text(why)] })

function refuse(why: string): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, why)
}

/** Why a tool that exists cannot be called here; undefined when there is none with this name. */
function whyNotOffered(name: string): string | undefined {
  const known = allTools().find(({ listed }) => listed.name === name)
  return known && `${name} is not offered: it is in the toolset ${known.toolset} and needs the scope ${known.scope}`
}

function suggestion(name: string, tools: readonly Tool[]): string {
  const near = findNearest(
    name,
    tools.map(({ listed }) => listed.name),
  )
  return near === undefined ? "" : `; did you mean ${near}?`
}
