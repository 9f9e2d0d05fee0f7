import type { Tool } from "@modelcontextprotocol/server"
import type { Scope } from "../../domain/scopes.ts"
import { type Endpoint, queryOf, takesJson } from "../../kernel/endpoint/endpoint.ts"
import { type JsonSchema, ownKeywords } from "../../kernel/schema/type.ts"
import { needsBody } from "./arguments.ts"

/** The MCP tools of a contract for these scopes: all operations except uploads, streams and deprecated ones. */
export const toolsOf = (api: Record<string, Endpoint>, scopes: readonly string[]): Tool[] =>
  Object.entries(api)
    .filter(([, endpoint]) => isTool(endpoint, scopes))
    .map(([name, endpoint]) => toTool(name, endpoint))

const isTool = ({ scope, upload, streams, deprecated }: Endpoint, scopes: readonly string[]): boolean =>
  !upload && !streams && !deprecated && (["open", "any"].includes(scope) || scopes.includes(scope as Scope))

function toTool(name: string, endpoint: Endpoint): Tool {
  const { method, summary, description, params = {}, body } = endpoint
  const [path, query] = [params, queryOf(endpoint)] as [JsonSchema, JsonSchema]
  const isBody = takesJson(endpoint)
  const required = (query.required ?? []).filter((parameter) => query.properties?.[parameter]?.default === undefined)
  return {
    name,
    description: [summary, description].filter((text) => text !== undefined).join(". "),
    inputSchema: plain({
      type: "object",
      properties: { ...path.properties, ...query.properties, ...(isBody && { body: body as object }) },
      required: [...(path.required ?? []), ...required, ...(needsBody(endpoint) ? ["body"] : [])],
    }),
    annotations: {
      readOnlyHint: method === "GET",
      destructiveHint: method === "DELETE" || method === "PUT",
      idempotentHint: method !== "POST" && method !== "PATCH",
    },
  }
}

/**
 * Copies a schema as JSON, in the keywords that all providers of models accept: one schema with another keyword makes some refuse every
 * tool. Each has a `type`; the only format of a text is `date-time`.
 */
const plain = (schema: object): Tool["inputSchema"] => JSON.parse(JSON.stringify(schema, copyKeyword))

const left = ["xml", "examples", "additionalProperties", ...ownKeywords]

function copyKeyword(this: JsonSchema, key: string, value: unknown): unknown {
  if (left.includes(key)) return undefined
  if (key === "format" && this.type === "string" && value !== "date-time") return undefined
  return isWord(value) ? { type: "string", ...(value as object) } : value
}

/** Whether a value is the schema of an enumeration of words. */
const isWord = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Array.isArray((value as JsonSchema).enum) && !("type" in value)
