import type { Tool } from "@modelcontextprotocol/server"
import type { Scope } from "../../domain/scopes.ts"
import { type Endpoint, queryOf, takesJson } from "../../kernel/endpoint.ts"
import { type JsonSchema, ownKeywords } from "../../kernel/schema/type.ts"

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
      required: [...(path.required ?? []), ...required, ...(isBody ? ["body"] : [])],
    }),
    annotations: {
      readOnlyHint: method === "GET",
      destructiveHint: method === "DELETE" || method === "PUT",
      idempotentHint: method !== "POST" && method !== "PATCH",
    },
  }
}

/** Copies a schema as JSON, without the keywords for XML and error messages. */
const plain = (schema: object): Tool["inputSchema"] =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === "xml" || ownKeywords.includes(key) ? undefined : value)))

/** Converts the arguments of a tool call to a request. */
export function toRequest(endpoint: Endpoint, given: Record<string, unknown>): object {
  const pick = ({ properties = {} }: JsonSchema) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => name in properties))
  return {
    params: pick((endpoint.params ?? {}) as JsonSchema),
    query: pick(queryOf(endpoint) as JsonSchema),
    ...(takesJson(endpoint) && given.body !== undefined && { body: given.body }),
  }
}
