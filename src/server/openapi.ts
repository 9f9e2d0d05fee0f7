import { type TSchema, Type } from "typebox"
import { eventKinds } from "../domain/events/contract.ts"
import { type ProblemCode, problems } from "../domain/problems.ts"
import type { Scope } from "../domain/scopes.ts"
import { type Endpoint, queryOf } from "../kernel/endpoint.ts"
import { basePath } from "../kernel/path.ts"
import { named } from "../kernel/schema.ts"

type Schema = Record<string, unknown>

const description = `The pet store everybody knows from the demos, as software one can rely on.

Send an API key in the header \`api_key\`. Errors are \`application/problem+json\` (RFC 9457): \`code\` is stable, \`detail\`
says what to do, \`errors\` lists every violation. Unknown members of a body are ignored.`

/** The OpenAPI 3.1 document of a contract; says nothing that the endpoints, schemas and problem table do not say. */
export function openapi(api: Record<string, Endpoint<Scope, ProblemCode>>, version: string) {
  const components = new Map<string, Schema>()
  const refer = (schema: TSchema) => reference(schema as Schema, components)

  const paths: Record<string, Record<string, unknown>> = {}
  for (const [operationId, endpoint] of Object.entries(api)) {
    paths[endpoint.path] ??= {}
    Object.assign(paths[endpoint.path] as object, {
      [endpoint.method.toLowerCase()]: operation(operationId, endpoint, refer),
    })
  }

  const webhooks = Object.fromEntries(
    Object.entries(eventKinds).map(([kind, { summary, data }]) => [kind, webhook(kind, summary, refer(data))]),
  )
  refer(ProblemDocument)

  return {
    openapi: "3.1.1",
    info: {
      title: "Petstore",
      version,
      summary: "Pets, on a service that can be relied on",
      description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: basePath }],
    tags: [{ name: "pet", description: "Everything about the pets" }],
    security: [{ api_key: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes: { api_key: { type: "apiKey", in: "header", name: "api_key" } },
      schemas: Object.fromEntries([...components].sort(([a], [b]) => a.localeCompare(b))),
    },
  }
}

function operation(operationId: string, endpoint: Endpoint<Scope, ProblemCode>, refer: (schema: TSchema) => Schema) {
  const { summary, description, tag, scope, body, answer, status, deprecated } = endpoint
  return {
    operationId,
    summary,
    ...(description && { description }),
    tags: [tag],
    ...(deprecated && { deprecated }),
    security: scope === "open" ? [] : [{ api_key: [] }],
    ...(scope !== "open" && scope !== "any" && { "x-scope": scope }),
    parameters: parametersOf(endpoint, refer),
    ...(body && { requestBody: { required: true, content: contentOf(endpoint.consumes, body, refer) } }),
    responses: {
      [status]: {
        description: "Done",
        ...headersOf(endpoint),
        content: contentOf(["application/json"], answer, refer),
      },
      ...(endpoint.conditional &&
        endpoint.method === "GET" && { "304": { description: "Not changed since the ETag given" } }),
      ...problemResponses(endpoint),
    },
  }
}

function contentOf(
  types: readonly string[] = ["application/json"],
  schema: TSchema,
  refer: (schema: TSchema) => Schema,
) {
  const [example] = (schema as { examples?: unknown[] }).examples ?? []
  return Object.fromEntries(
    types.map((type) => [type, { schema: refer(schema), ...(example !== undefined && { example }) }]),
  )
}

function parametersOf(endpoint: Endpoint, refer: (schema: TSchema) => Schema) {
  const header = (name: string, description: string, schema: Schema) => ({ name, in: "header", description, schema })
  const parameters = (place: "path" | "query", schema?: { properties: Record<string, TSchema>; required?: string[] }) =>
    Object.entries(schema?.properties ?? {}).map(([name, property]) => {
      const { description, ...rest } = refer(property) as { description?: string; type?: string; default?: unknown }
      const required = place === "path" || (schema?.required?.includes(name) === true && !("default" in rest))
      return {
        name,
        in: place,
        ...(description && { description }),
        required,
        schema: rest,
        ...(rest.type === "array" && { style: "form", explode: true }),
      }
    })

  return [
    ...parameters("path", endpoint.params as never),
    ...parameters("query", queryOf(endpoint) as never),
    ...(endpoint.idempotent
      ? [
          header("Idempotency-Key", "Makes repeating the request harmless for 24 hours", {
            type: "string",
            minLength: 1,
            maxLength: 255,
          }),
        ]
      : []),
    ...(endpoint.conditional && endpoint.method === "GET"
      ? [header("If-None-Match", "Answers 304 when the ETag is still this one", { type: "string" })]
      : []),
    ...(endpoint.problems.includes("precondition-failed")
      ? [header("If-Match", "Goes ahead only when the ETag is still this one", { type: "string" })]
      : []),
  ]
}

function headersOf(endpoint: Endpoint) {
  const headers = {
    ...(endpoint.conditional &&
      endpoint.method !== "DELETE" && {
        ETag: { description: "Strong entity tag of this answer", schema: { type: "string" } },
      }),
    ...(endpoint.paged && {
      Link: { description: 'The next page, `rel="next"`, while there is one', schema: { type: "string" } },
    }),
    ...(endpoint.idempotent && {
      "Idempotency-Replayed": {
        description: "`true` when the answer was kept from before",
        schema: { type: "string" },
      },
    }),
  }
  return Object.keys(headers).length > 0 ? { headers } : {}
}

/** Every problem an endpoint may answer with: what it lists and what its other members imply. */
export function problemsOf(endpoint: Endpoint<Scope, ProblemCode>): ProblemCode[] {
  const implied: (ProblemCode | false)[] = [
    "not-acceptable",
    "internal-error",
    "unavailable",
    endpoint.scope !== "open" && "unauthorized",
    endpoint.scope !== "open" && endpoint.scope !== "any" && "forbidden",
    (endpoint.params !== undefined || endpoint.query !== undefined || endpoint.paged === true) && "invalid-parameter",
    endpoint.body !== undefined && "malformed-json",
    endpoint.body !== undefined && "invalid-body",
    endpoint.body !== undefined && "body-too-large",
    endpoint.body !== undefined && "unsupported-media-type",
    endpoint.idempotent !== undefined && "invalid-parameter",
    endpoint.idempotent !== undefined && "idempotency-key-in-use",
    endpoint.idempotent !== undefined && "idempotency-key-reused",
  ]
  const named = [...endpoint.problems, ...Object.values(endpoint.bodyProblems ?? {}), ...implied]
  return [...new Set(named.filter((code) => code !== false))].sort((a, b) => problems[a].status - problems[b].status)
}

function problemResponses(endpoint: Endpoint<Scope, ProblemCode>) {
  const byStatus = Map.groupBy(problemsOf(endpoint), (code) => problems[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join(" · "),
        content: {
          "application/problem+json": {
            schema: { $ref: "#/components/schemas/Problem" },
            examples: Object.fromEntries(codes.map((code) => [code, { value: problemExample(code) }])),
          },
        },
      },
    ]),
  )
}

const problemExample = (code: ProblemCode) => ({
  type: `https://petstore.example/problems/${code}`,
  title: problems[code].title,
  status: problems[code].status,
  detail: problems[code].meaning,
  instance: `${basePath}/pet`,
  code,
  message: problems[code].meaning,
  requestId: "6f1c4b0e-8f7a-4f0e-9b8e-2f6f3a1f0c11",
})

const ProblemDocument = named(
  "Problem",
  Type.Object({
    type: Type.String({ format: "uri", description: "Leads to a page about problems of this kind" }),
    title: Type.String(),
    status: Type.Integer({ format: "int32" }),
    detail: Type.String({ description: "What happened and what to do about it" }),
    instance: Type.String({ description: "The path of the request" }),
    code: Type.String({ description: "Stable name of the kind of problem" }),
    message: Type.String({ description: "The same as detail" }),
    requestId: Type.String({ description: "Names the request in the service's log" }),
    errors: Type.Optional(
      Type.Array(
        named(
          "Violation",
          Type.Object({
            pointer: Type.Optional(Type.String({ description: "JSON pointer into the body" })),
            parameter: Type.Optional(Type.String({ description: "Name of the parameter" })),
            code: Type.String(),
            detail: Type.String(),
          }),
        ),
      ),
    ),
  }),
)

function webhook(kind: string, summary: string, data: Schema) {
  const payload = {
    type: "object",
    required: ["event", "data", "timestamp"],
    properties: { event: { const: kind }, data, timestamp: { type: "string", format: "date-time" } },
  }
  return {
    post: {
      summary,
      operationId: kind.replace(/[.](\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags: ["pet"],
      security: [],
      requestBody: { required: true, content: { "application/json": { schema: payload } } },
      responses: { "2XX": { description: "Received" } },
    },
  }
}

/** Copies a schema, putting every named part into the components and a reference in its place. */
function reference(schema: Schema, components: Map<string, Schema>): Schema {
  const { title, ...rest } = schema as { title?: string }
  const copy = Object.fromEntries(
    Object.entries(rest).flatMap(([key, value]) => (key === "x-rule" ? [] : [[key, inside(key, value, components)]])),
  )
  if (title === undefined) return copy
  components.set(title, copy)
  return { $ref: `#/components/schemas/${title}` }
}

function inside(key: string, value: unknown, components: Map<string, Schema>): unknown {
  if (key === "properties")
    return Object.fromEntries(
      Object.entries(value as Schema).map(([name, part]) => [name, reference(part as Schema, components)]),
    )
  if (key === "items") return reference(value as Schema, components)
  if (key === "anyOf") return (value as Schema[]).map((part) => reference(part, components))
  return value
}
