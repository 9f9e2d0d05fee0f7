import type { TObject, TSchema } from "typebox"
import type { ApiContract } from "../../core/domain/api.ts"
import { type Scope, scopes } from "../../core/domain/scopes.ts"
import { tags } from "../../core/domain/tags.ts"
import { type Endpoint, queryOf } from "../../core/kernel/endpoint/endpoint.ts"
import { mapValues } from "../../core/kernel/json/map-values.ts"
import { formTypes, jsonType, multipartType, xmlType } from "../../core/kernel/network/media-types.ts"
import { v2Path } from "../../core/kernel/network/path.ts"
import { Acknowledgement } from "../../core/kernel/schema/schema.ts"
import { Type } from "../../core/kernel/schema/type.ts"
import { type Refer, type Schema, schemaCollector } from "../descriptions/openapi/components.ts"
import { type V2Operation, v2Operations } from "./endpoints.ts"

const description = `The classic Petstore v2, for clients written for it. New clients should use v3, which \`/docs\` describes.

A request needs an API key in the header \`api_key\`, or an OAuth 2.0 access token.`

/** The Swagger 2.0 document of the classic v2 at this address of the service. */
export function swagger(api: ApiContract, version: string, publicUrl: string) {
  const { protocol, host, pathname } = new URL(publicUrl)
  const { refer, schemas } = schemaCollector()
  const operations = v2Operations(api)
  const paths = Object.fromEntries(
    [...Map.groupBy(operations, ({ endpoint }) => endpoint.path)].map(([path, here]) => [
      path,
      Object.fromEntries(here.map((each) => [each.endpoint.method.toLowerCase(), operationOf(each, refer)])),
    ]),
  )
  const used = new Set(operations.map(({ endpoint }) => endpoint.tag))
  return {
    swagger: "2.0",
    info: {
      title: "Petstore",
      version,
      description,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },

    host,
    basePath: `${pathname.replace(/\/$/, "")}${v2Path}`,
    schemes: [protocol.slice(0, -1)],
    tags: Object.entries(tags).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : [])),
    paths: toSwagger(paths),
    securityDefinitions: {
      api_key: { type: "apiKey", name: "api_key", in: "header" },
      petstore_auth: {
        type: "oauth2",
        flow: "accessCode",
        scopes,
        authorizationUrl: `${publicUrl}/oauth/auth`,
        tokenUrl: `${publicUrl}/oauth/token`,
      },
    },
    definitions: toSwagger(schemas()),
  }
}

function operationOf({ operationId, endpoint }: V2Operation, refer: Refer) {
  const { summary, description, tag, deprecated, produces = [jsonType], response, status, headers = {} } = endpoint
  return {
    operationId,
    summary,
    ...(description && { description }),
    tags: [tag],
    ...(deprecated && { deprecated: true }),
    ...inputOf(endpoint, refer),
    produces,
    responses: {
      [status]: {
        description: "Success",
        schema: refer(response),
        ...(Object.keys(headers).length > 0 && {
          headers: mapValues(headers, ({ description, example }) => ({ type: typeOf(example), description })),
        }),
      },
      default: { description: "Any error; the message says which", schema: refer(Acknowledgement) },
    },
    security: securityOf(endpoint.scope),
  }
}

const typeOf = (example: string | number) => (typeof example === "number" ? "integer" : "string")

const securityOf = (scope: Scope | "any" | "open") =>
  scope === "open" ? [] : [{ api_key: [] }, { petstore_auth: scope === "any" ? [] : [scope] }]

/** Swagger 2.0 describes either a body or form fields. */
function inputOf(endpoint: Endpoint, refer: Refer) {
  const { params, body, upload, consumes = [jsonType] } = endpoint
  const form = upload ? upload.fields : body && consumes.every((type) => formTypes.includes(type)) ? body : undefined
  const fields = form ? parametersIn("formData", form as TObject, refer) : []
  const query = parametersIn("query", queryOf(endpoint), refer)
  const parameters = [
    ...parametersIn("path", params, refer),
    ...query.filter(({ name }) => !fields.some((field) => field.name === name)),
    ...(upload ? [{ name: "file", in: "formData", required: true, type: "file" }] : []),
    ...fields,
    ...(body && !form ? [{ name: "body", in: "body", required: !Type.IsOptional(body), schema: refer(body) }] : []),
  ]
  const types = upload
    ? [multipartType]
    : form
      ? consumes
      : consumes.filter((type) => [jsonType, xmlType].includes(type))
  return { ...((body || upload) && { consumes: types }), ...(parameters.length > 0 && { parameters }) }
}

/** Parameters have no references: an enumeration is written out. */
function parametersIn(location: "path" | "query" | "formData", schema: TObject | undefined, refer: Refer) {
  return Object.entries<TSchema>(schema?.properties ?? {}).map(([name, property]) => {
    const rest = unnamed(property as Schema)
    const { items } = rest as { items?: Schema }
    const isRequired = location === "path" || (schema?.required?.includes(name) === true && rest.default === undefined)
    return {
      name,
      in: location,
      required: isRequired,
      ...refer(Type.Unsafe(items ? { ...rest, items: { ...unnamed(items), description: undefined } } : rest)),
      ...(items && { collectionFormat: "multi" }),
    }
  })
}

const unnamed = ({ title: _, examples: __, ...schema }: Schema): Schema => schema

/** The schema keywords of JSON Schema 2020-12 as Swagger 2.0 writes them. */
function toSwagger(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSwagger)
  if (typeof value !== "object" || value === null) return value
  const { examples, const: only, contentMediaType: _, ...rest } = value as Schema
  if (Array.isArray(examples)) rest.example = examples[0]
  if (only !== undefined) rest.enum = [only]
  if (typeof rest.$ref === "string") return { $ref: rest.$ref.replace("#/components/schemas/", "#/definitions/") }
  return mapValues(rest, toSwagger)
}
