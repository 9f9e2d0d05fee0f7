import type { Tool } from "@modelcontextprotocol/server"
import type { Scope } from "../../domain/scopes.ts"
import { type Endpoint, queryOf, takesJson } from "../../kernel/endpoint.ts"
import type { JsonSchema } from "../../kernel/schema/type.ts"

/** The tools (Model Context Protocol) of a contract for who has these scopes: every operation but those that take a file, stream or are deprecated. */
export const toolsOf = (api: Record<string, Endpoint>, scopes: readonly string[]): Tool[] =>
  Object.entries(api)
    .filter(([, endpoint]) => isOffered(endpoint, scopes))
    .map(([name, endpoint]) => toTool(name, endpoint))

const isOffered = ({ scope, upload, streams, deprecated }: Endpoint, scopes: readonly string[]): boolean =>
  !upload && !streams && !deprecated && (["open", "any"].includes(scope) || scopes.includes(scope as Scope))

function toTool(name: string, endpoint: Endpoint): Tool {
  const { method, summary, description, params = {}, body } = endpoint
  const [path, query] = [params, queryOf(endpoint)] as [JsonSchema, JsonSchema]
  const isBody = takesJson(endpoint)
  const needed = (query.required ?? []).filter((parameter) => query.properties?.[parameter]?.default === undefined)
  return {
    name,
    description: [summary, description].filter((text) => text !== undefined).join(". "),
    inputSchema: plain({
      type: "object",
      properties: { ...path.properties, ...query.properties, ...(isBody && { body: body as object }) },
      required: [...(path.required ?? []), ...needed, ...(isBody ? ["body"] : [])],
    }),
    annotations: {
      readOnlyHint: method === "GET",
      destructiveHint: method === "DELETE" || method === "PUT",
      idempotentHint: method !== "POST" && method !== "PATCH",
    },
  }
}

/** Schemas as JSON, without what only the service's own XML and messages need. */
const plain = (schema: object): Tool["inputSchema"] =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === "xml" || key === "x-rule" ? undefined : value)))

/** A call's arguments as the request they stand for. */
export function toRequest(endpoint: Endpoint, given: Record<string, unknown>): object {
  const pick = ({ properties = {} }: JsonSchema) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => name in properties))
  return {
    params: pick((endpoint.params ?? {}) as JsonSchema),
    query: pick(queryOf(endpoint) as JsonSchema),
    ...(takesJson(endpoint) && given.body !== undefined && { body: given.body }),
  }
}
