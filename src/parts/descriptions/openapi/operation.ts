// Decision: docs/decisions/openapi.md#examples-of-responses-are-recorded

import type { TSchema } from "typebox"
import { responseHeaders, unchangedHeaders } from "../../../core/api/problems/headers.ts"
import { ownProblemsOf, problemResponses } from "../../../core/api/problems/problem-responses.ts"
import type { ProblemCode } from "../../../core/domain/problems/problems.ts"
import type { Scope } from "../../../core/domain/scopes.ts"
import type { Endpoint, UploadShape } from "../../../core/kernel/endpoint/endpoint.ts"
import { mapValues } from "../../../core/kernel/json/map-values.ts"
import { eventStreamType, formTypes, isJsonType, jsonType, xmlType } from "../../../core/kernel/network/media-types.ts"
import { type JsonSchema, Type } from "../../../core/kernel/schema/type.ts"
import { STATUS_CODES } from "../../../core/server/exchange/node-http.ts"
import type { Refer, Schema } from "./components.ts"
import { exampleOf } from "./example.ts"
import { linksOf } from "./links.ts"
import { parametersOf } from "./parameters.ts"
import { responses as recorded } from "./responses.ts"
import { securityOf } from "./security.ts"

type Operation = Endpoint<Scope, ProblemCode>

/** An operation of the contract `api`, with references to named schemas. */
export function operationOf(operationId: string, endpoint: Operation, api: Record<string, Operation>, refer: Refer) {
  const { summary, tag, body, upload, consumes, response, produces, status, deprecated } = endpoint
  const parameters = parametersOf(endpoint, refer)
  return {
    operationId,
    summary,
    description: descriptionOf(endpoint),
    tags: [tag],
    ...(deprecated && { deprecated: true }),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(upload && { requestBody: { required: true, content: uploadContent(upload, refer) } }),
    ...(body && {
      requestBody: { required: !Type.IsOptional(body), content: contentOf(consumes, body, refer, exampleOf(body)) },
    }),
    responses: {
      [status]: {
        description: STATUS_CODES[status],
        headers: responseHeaders(endpoint),
        content: contentOf(produces, response, refer, recorded[operationId]),
        ...linksOf(endpoint, api),
      },
      ...(endpoint.conditional &&
        endpoint.method === "GET" && {
          "304": { description: "Not changed since the ETag in `If-None-Match`", headers: unchangedHeaders() },
        }),
      ...problemResponses(endpoint),
    },
  }
}

export function descriptionOf({ description, scope, itemProblems, ...endpoint }: Operation): string {
  const credential = { open: "Needs no credential.", any: "Needs a credential, of any scope." }
  const needs = scope === "open" || scope === "any" ? credential[scope] : `Needs the scope \`${scope}\`.`
  const items = itemProblems && `An item may be refused with ${inCode(itemProblems)}.`
  const own = ownProblemsOf(endpoint)
  const refuses = own.length > 0 ? `May be refused with ${inCode(own)}.` : undefined
  return [description, needs, items, refuses].filter((sentence) => sentence !== undefined).join(" ")
}

const inCode = (codes: readonly string[]): string => codes.map((code) => `\`${code}\``).join(", ")

const file = { type: "string", format: "binary", contentMediaType: "application/octet-stream" }

function uploadContent({ types, fields, example: image }: UploadShape, refer: Refer) {
  const { properties = {} } = refer(fields) as { properties?: object }
  const example = { ...(image !== undefined && { file: image }), ...(exampleOf(fields) as object) }
  const form = { type: "object", required: ["file"], properties: { file, ...properties } }
  return {
    "multipart/form-data": { schema: form, example },
    ...Object.fromEntries(types.map((type) => [type, { schema: file, example: example.file }])),
  }
}

/**
 * Importers of collections read the examples of JSON here and not in the schema. Tools make the example in XML from the
 * schema's annotations.
 */
function contentOf(types: readonly string[] = [jsonType], schema: TSchema, refer: Refer, example: unknown) {
  const referred = refer(schema)
  const hasOwn = isIllustrated(referred)
  const isShown = (type: string) =>
    isJsonType(type) || (type === eventStreamType ? example !== undefined : type !== xmlType && !hasOwn)
  const schemaOf = (type: string) =>
    formTypes.includes(type) ? refer(formOf(schema)) : type === eventStreamType ? messageOf(referred) : referred
  const mediaOf = (type: string) => ({
    schema: schemaOf(type),
    ...(formTypes.includes(type) && encodingOf(schema as JsonSchema)),
    ...(isShown(type) && { example: type === eventStreamType ? { data: JSON.stringify(example) } : example }),
  })
  return Object.fromEntries(types.map((type) => [type, mediaOf(type)]))
}

/** A message of a stream, whose `data` is JSON (WHATWG HTML section 9.2.6). */
const messageOf = (data: Schema): Schema => ({
  type: "object",
  required: ["data"],
  properties: {
    id: { type: "string" },
    data: { type: "string", contentMediaType: jsonType, contentSchema: data },
  },
})

/** Objects in a field of a form are JSON. Generators do not know that this is the default, or it is not theirs. */
function encodingOf({ properties = {} }: JsonSchema) {
  const nested = Object.entries(properties).filter(([, { type, items }]) => (items ?? { type }).type === "object")
  const encoding = Object.fromEntries(nested.map(([name]) => [name, { contentType: jsonType }]))
  return nested.length > 0 ? { encoding } : {}
}

/**
 * The same schema by another name: openapi-python-client tells bodies apart by their schemas, and would send a form instead of
 * JSON. The fields of a schema without a name are inline: openapi-generator for Rust refers to named ones wrongly.
 */
const formOf = (schema: TSchema & { title?: string; properties?: Record<string, Schema> }): TSchema =>
  schema.title === undefined
    ? Type.Unsafe({ ...schema, properties: mapValues(schema.properties ?? {}, ({ title: _, ...field }) => field) })
    : Type.Unsafe({ title: `${schema.title}Form`, sameAs: schema })

/** Whether the schema, or the one it refers to, has its own example. */
const isIllustrated = ({ $ref, items, examples }: { $ref?: string; items?: Schema; examples?: unknown }) =>
  $ref !== undefined || items?.$ref !== undefined || examples !== undefined
