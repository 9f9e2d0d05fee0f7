import type { TObject, TSchema } from "typebox"
import { type Endpoint, queryOf } from "../../../core/kernel/endpoint/endpoint.ts"
import type { JsonSchema } from "../../../core/kernel/schema/type.ts"
import type { Refer } from "./components.ts"
import { exampleOf } from "./example.ts"

/** Everything an endpoint takes besides its body. */
export function parametersOf(endpoint: Endpoint, refer: Refer) {
  return [
    ...ofSchema("path", endpoint.params, refer),
    ...ofSchema("query", queryOf(endpoint), refer, fieldsOf(endpoint)),
    ...(endpoint.idempotent ? [idempotencyKey] : []),
    ...(endpoint.conditional && endpoint.method === "GET" ? [ifNoneMatch] : []),
    // Of a read it is not listed: generators would add an argument to the method that reads a pet.
    ...(endpoint.problems.includes("precondition-failed") ? [ifMatch] : []),
    ...(endpoint.counted ? [preferCount] : []),
    ...(endpoint.streams ? [lastEventId] : []),
  ]
}

/** The fields of the body, which exclude parameters of the same name. */
const fieldsOf = ({ body, upload }: Endpoint): string[] =>
  Object.keys(((upload?.fields ?? body) as JsonSchema | undefined)?.properties ?? {})

function ofSchema(location: "path" | "query", schema: TObject | undefined, refer: Refer, excluded: string[] = []) {
  return Object.entries((schema?.properties ?? {}) as Record<string, TSchema>).map(([name, property]) => {
    // Parameters that are ids have no description.
    const { description = "An id" } = property as { description?: string }
    const { description: _, examples: __, default: usual, ...rest } = refer(property) as Record<string, unknown>
    const isListed = (schema as { required?: string[] }).required?.includes(name) === true
    const required = location === "path" || (isListed && usual === undefined)
    return {
      name,
      in: location,
      description: Array.isArray(usual) ? `${description}; by default ${usual.join(", ")}` : description,
      ...(required && { required }),
      // Go's generator writes the default of an array as JSON, which does not compile.
      schema: { ...rest, ...(usual !== undefined && !Array.isArray(usual) && { default: usual }) },
      ...(rest.type === "array" && { style: "form", explode: true }),
      ...(!excluded.includes(name) && !("x-exclusive" in property) && exampleFor(required, exampleOf(property))),
    }
  })
}

/** The reference pages send every example unless it is disabled, and would set conditions and limits by default. */
const exampleFor = (required: boolean, value: unknown) =>
  required ? { example: value } : { examples: { example: { value, "x-disabled": true } } }

/** A header of a request, or of a message to a webhook. */
export const headerParameter = (
  name: string,
  description: string,
  example: string | undefined,
  { required = false, schema = {} }: { required?: boolean; schema?: object } = {},
) => ({
  name,
  in: "header",
  description,
  ...(required && { required }),
  schema: { type: "string", ...schema },
  ...(example !== undefined && exampleFor(required, example)),
})

/** Without examples: of two requests with one key, or with an ETag that the resource does not have, the second is refused. */
const idempotencyKey = headerParameter(
  "Idempotency-Key",
  "Makes the request safe to repeat for 24 hours: the same key with the same request returns the same response",
  undefined,
  { schema: { minLength: 1, maxLength: 255 } },
)
const entityTags = { pattern: '^(\\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$' }
const ifNoneMatch = headerParameter("If-None-Match", "Returns 304 if the ETag is unchanged", undefined, {
  schema: entityTags,
})
const ifMatch = headerParameter("If-Match", "Proceeds only if the ETag is unchanged", undefined, { schema: entityTags })
const preferCount = headerParameter(
  "Prefer",
  "`count=exact` also counts the whole list; in a sandbox, `explain` links the response to an explanation",
  "count=exact",
)
const lastEventId = headerParameter("Last-Event-ID", "Continues after this event", "evt_0_000000000000")
