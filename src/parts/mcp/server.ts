// Decision: docs/decisions/mcp.md#one-server-for-http-and-standard-input

import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server"
import { version } from "../../program.ts"
import { explainCall } from "./failure.ts"
import { type AddToolset, whyNotOffered } from "./not-offered.ts"
import { prompts, writePrompt } from "./prompts.ts"
import { type ResourceSource, readResource, resources, resourceTemplates } from "./resources.ts"
import { allTools, type Choice, chooseTools } from "./tools.ts"

/**
 * Makes a server of the Model Context Protocol whose tools run operations of a service, each with the client's credential. `explain`
 * returns what else went wrong with a call, as a text, and rethrows what it cannot explain.
 */
export function createMcpServer(
  source: ResourceSource,
  choice: Choice,
  addToolset: AddToolset,
  explain: (error: unknown) => string,
): Server {
  const tools = chooseTools(choice)
  const server = new Server(
    { name: "petstore", title: "Petstore", version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  )
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(({ listed }) => listed) }))
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: values = {} } }) => {
    const tool = tools.find(({ listed }) => listed.name === name)
    if (!tool) {
      const reason = whyNotOffered(name, choice, addToolset)
      return isTool(name, choice) ? failed(reason) : refuse(reason)
    }
    try {
      const structuredContent = await tool.run(source.client, values)
      return { structuredContent, content: [text(JSON.stringify(structuredContent))] }
    } catch (error) {
      return failed(explainCall(error, tool) ?? explain(error))
    }
  })
  server.setRequestHandler("resources/list", () => ({ resources: [...resources] }))
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...resourceTemplates] }))
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => readResource(uri, source))
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

const isTool = (name: string, { further }: Choice): boolean =>
  allTools(further).some(({ listed }) => listed.name === name)
