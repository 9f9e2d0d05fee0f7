// Decision: docs/decisions/mcp.md#twenty-tools-unless-toolsets-are-named

import type { Tool as ListedTool } from "@modelcontextprotocol/server"
import type { ClientResponse } from "../../client/client.ts"
import { nextCursor } from "../../client/pages.ts"
import { api } from "../../core/domain/api.ts"
import { bodyBytesMaxOf, type Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import { onceForEach } from "../../core/kernel/flow/once-for-each.ts"
import { createYielder } from "../../core/kernel/flow/yielder.ts"
import { type JsonSchema, Type } from "../../core/kernel/schema/type.ts"
import { argumentAt, argumentsOf, itemsName, toRequest } from "./arguments.ts"
import { type Tool, WrongArguments } from "./tool.ts"
import { argumentsSchema, resultSchema } from "./tool-schema.ts"
import { furtherToolset, type Toolset, toolsetOf, usualTools } from "./toolsets.ts"
import { triggerTool } from "./trigger.ts"

/** Uploads and streams do not fit a call of a tool, and deprecated operations have better ones beside them. */
const toolsOf = (contract: Further): Tool[] =>
  Object.entries(contract)
    .filter(([, { upload, streams, deprecated }]) => !upload && !streams && !deprecated)
    .map(([operation, endpoint]) => ({
      toolset: toolsetOf[endpoint.tag as keyof typeof toolsetOf],
      scope: endpoint.scope,
      bodyBytesMax: Math.min(bodyBytesMaxOf(endpoint), argumentBytesMax),
      argumentAt: (pointer) => argumentAt(endpoint, pointer),
      listed: list(operation, endpoint),
      run: (clientOf, values) => run(clientOf({ [operation]: endpoint })[operation] as Call, endpoint, values),
    }))

/** Files are no arguments. */
const argumentBytesMax = 256 * 1024

type Call = (request: object) => Promise<ClientResponse<unknown>>

async function run(call: Call, endpoint: Endpoint, values: Readonly<Record<string, unknown>>) {
  const turn = createYielder()
  const outcome = toRequest(endpoint, values)
  if ("refusals" in outcome) throw new WrongArguments(outcome.refusals.join("\n"))
  // The service reads the body next.
  if (turn.isOver()) await turn.next()
  const { value, headers } = await call(outcome.request)
  if (Array.isArray(value)) return { [itemsName]: value, nextCursor: nextCursor(headers) }
  return typeof value === "object" && value !== null ? { ...value } : { value }
}

/** Operations that a service has besides those of the API. */
export type Further = Readonly<Record<string, Endpoint>>

/** All tools: every operation except uploads, streams and deprecated ones, and `trigger`. */
export const allTools = onceForEach((further: Further): readonly Tool[] => [
  ...toolsOf(api),
  ...toolsOf(further),
  triggerTool,
])

/** All tools by name. */
export const toolsByName = onceForEach(
  (further: Further): ReadonlyMap<unknown, Tool> => new Map(allTools(further).map((tool) => [tool.listed.name, tool])),
)

/** What determines the tools that a caller is offered. */
export type Choice = {
  scopes: ReadonlySet<string>
  /** Whether the service has the further operations. */
  hasFurther: boolean
  further: Further
  /** Undefined for the usual tools. */
  toolsets: ReadonlySet<Toolset> | undefined
}

/** The tools that a caller with these scopes is offered. */
export const chooseTools = (choice: Choice): Tool[] =>
  allTools(choice.further).filter((tool) => isOffered(tool, choice))

export const isOffered = (tool: Tool, choice: Choice): boolean =>
  isExisting(tool, choice) &&
  mayCall(tool, choice) &&
  (choice.toolsets ? choice.toolsets.has(tool.toolset) : usualTools.has(tool.listed.name))

/** Whether the service has its operation. */
export const isExisting = ({ toolset }: Pick<Tool, "toolset">, { hasFurther }: Pick<Choice, "hasFurther">): boolean =>
  hasFurther || toolset !== furtherToolset

export const mayCall = ({ scope }: Pick<Tool, "scope">, { scopes }: Pick<Choice, "scopes">): boolean =>
  scope === "open" || scope === "any" || scopes.has(scope)

function list(operation: string, endpoint: Endpoint): ListedTool {
  const { summary, description } = endpoint
  const all = [...argumentsOf(endpoint)]
  return {
    name: endpoint.tool?.name ?? operation,
    description: [summary, description].filter((text) => text !== undefined).join(". "),
    inputSchema: argumentsSchema({
      type: "object",
      properties: Object.fromEntries(all.map(([argument, { schema }]) => [argument, schemaOf(argument, schema)])),
      required: all.filter(([, { isRequired }]) => isRequired).map(([argument]) => argument),
    }),
    outputSchema: resultSchema(resultOf(endpoint)),
    annotations: hintsOf(endpoint),
  }
}

/** A cursor is in the result, not in a header. */
const schemaOf = (argument: string, schema: JsonSchema): JsonSchema =>
  argument === "cursor" ? { ...schema, description: "`nextCursor` of the page before" } : schema

function hintsOf({ method, tool = {} }: Endpoint): ListedTool["annotations"] {
  const readOnlyHint = method === "GET" || tool.reads === true
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && (method !== "POST" || tool.replaces === true),
    idempotentHint: readOnlyHint || method !== "POST" || tool.repeatable === true,
  }
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
