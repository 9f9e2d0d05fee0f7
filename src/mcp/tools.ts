// Decision: docs/decisions/mcp.md#twenty-tools-unless-toolsets-are-named

import type { Tool as ListedTool } from "@modelcontextprotocol/server"
import type { ClientResponse } from "../client/client.ts"
import { nextCursor } from "../client/pages.ts"
import { api } from "../domain/api.ts"
import { sandbox } from "../domain/sandbox/contract.ts"
import type { Endpoint } from "../kernel/endpoint/endpoint.ts"
import { type JsonSchema, Type } from "../kernel/schema/type.ts"
import { argumentsOf, itemsName, toRequest } from "./arguments.ts"
import { type ServiceClient, type Tool, WrongArguments } from "./tool.ts"
import { argumentsSchema, resultSchema } from "./tool-schema.ts"
import { type Toolset, toolsetOf, usualTools } from "./toolsets.ts"
import { triggerTool } from "./trigger.ts"

/** Shorter names of the operations of a sandbox that are most used. */
const names: Readonly<Record<string, string>> = {
  resetSandbox: "reset",
  advanceClock: "advance",
  listRequests: "requests",
}

/** Uploads and streams do not fit a call of a tool, and deprecated operations have better ones beside them. */
const toolsOf = (contract: Record<string, Endpoint>): Tool[] =>
  Object.entries(contract)
    .filter(([, { upload, streams, deprecated }]) => !upload && !streams && !deprecated)
    .map(([operation, endpoint]) => ({
      toolset: toolsetOf[endpoint.tag as keyof typeof toolsetOf],
      scope: endpoint.scope,
      listed: list(names[operation] ?? operation, endpoint),
      run: (client, values) => run(client[operation as keyof ServiceClient] as Call, endpoint, values),
    }))

type Call = (request: object) => Promise<ClientResponse<unknown>>

async function run(call: Call, endpoint: Endpoint, values: Readonly<Record<string, unknown>>) {
  const outcome = toRequest(endpoint, values)
  if ("refusals" in outcome) throw new WrongArguments(outcome.refusals.join("\n"))
  const { value, headers } = await call(outcome.request)
  if (Array.isArray(value)) return { [itemsName]: value, nextCursor: nextCursor(headers) }
  return typeof value === "object" && value !== null ? { ...value } : { value }
}

let made: readonly Tool[] | undefined

/** All tools: every operation except uploads, streams and deprecated ones, and `trigger`. */
export function allTools(): readonly Tool[] {
  made ??= [...toolsOf(api), ...toolsOf(sandbox), triggerTool]
  return made
}

type Choice = {
  scopes: ReadonlySet<string>
  isSandbox: boolean
  /** Undefined for the usual tools. */
  toolsets: ReadonlySet<Toolset> | undefined
}

/** The tools that a caller with these scopes is offered. */
export const chooseTools = ({ scopes, isSandbox, toolsets }: Choice): Tool[] =>
  allTools().filter(
    ({ toolset, scope, listed: { name } }) =>
      (isSandbox || toolset !== "sandbox") &&
      (toolsets ? toolsets.has(toolset) : usualTools.has(name)) &&
      (scope === "open" || scope === "any" || scopes.has(scope)),
  )

function list(name: string, endpoint: Endpoint): ListedTool {
  const { summary, description } = endpoint
  const all = [...argumentsOf(endpoint)]
  return {
    name,
    description: [summary, description].filter((text) => text !== undefined).join(". "),
    inputSchema: argumentsSchema({
      type: "object",
      properties: Object.fromEntries(all.map(([argument, { schema }]) => [argument, schemaOf(argument, schema)])),
      required: all.filter(([, { isRequired }]) => isRequired).map(([argument]) => argument),
    }),
    outputSchema: resultSchema(resultOf(endpoint)),
    annotations: annotationsOf(endpoint),
  }
}

/** A cursor is in the result, not in a header. */
const schemaOf = (argument: string, schema: JsonSchema): JsonSchema =>
  argument === "cursor" ? { ...schema, description: "`nextCursor` of the page before" } : schema

/** Those hints that differ from their defaults. */
function annotationsOf({ method, command }: Endpoint): ListedTool["annotations"] {
  if (method === "GET") return { readOnlyHint: true }
  if (method === "DELETE" || method === "PUT") return { idempotentHint: true }
  return method === "POST" && !command.endsWith("reset") ? { destructiveHint: false } : {}
}

/** A result is an object: a list is its member `items`, and a text `value`. */
function resultOf({ response, paged }: Endpoint): JsonSchema {
  const schema = response as JsonSchema
  if (schema.type === "array") {
    const more = paged ? { nextCursor: Type.String() as JsonSchema } : {}
    return { type: "object", properties: { [itemsName]: schema, ...more }, required: [itemsName, ...Object.keys(more)] }
  }
  return schema.type === "object" ? schema : { type: "object", properties: { value: schema }, required: ["value"] }
}
