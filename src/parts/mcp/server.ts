// Decision: docs/decisions/mcp.md#one-server-for-http-and-standard-input

import { Server } from "@modelcontextprotocol/server"
import { version } from "../../program.ts"
import { type OfferedTools, refuseAbsent } from "./offered-tools.ts"
import { prompts, writePrompt } from "./prompts.ts"
import { type ResourceSource, readResource, resources, resourceTemplates } from "./resources.ts"

/** Makes a server of the Model Context Protocol with these tools, and with what it reads from the service. */
export function createMcpServer(source: ResourceSource, tools: OfferedTools): Server {
  const server = new Server(serverInfo, { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions })
  server.setRequestHandler("tools/list", () => tools.list())
  server.setRequestHandler("tools/call", ({ params }) => tools.call(params))
  server.setRequestHandler("resources/list", () => ({ resources: [...resources] }))
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...resourceTemplates] }))
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => readResource(uri, source))
  server.setRequestHandler("prompts/list", () => ({ prompts: [...prompts] }))
  server.setRequestHandler(
    "prompts/get",
    ({ params: { name, arguments: values = {} } }) =>
      writePrompt(name, values) ?? refuseAbsent(`there is no prompt ${name}`),
  )
  return server
}

export const serverInfo = { name: "petstore", title: "Petstore", version }

const instructions =
  "Petstore keeps pets, orders for them, and their users. Look for a pet with listPets (category, status), then placeOrder: the pet becomes " +
  "pending, and sold when its order is delivered. Lists have items and, when there is more, nextCursor. patchPet and patchOrder change " +
  "only what is given. An error says what was wrong and how to call the tool. In a sandbox, reset, trigger, advance and requests " +
  "prepare and inspect a test."
