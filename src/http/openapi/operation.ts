import { type TSchema, Type } from "typebox"
import type { ProblemCode } from "../../domain/problems.ts"
import type { Scope } from "../../domain/scopes.ts"
import type { Endpoint, UploadShape } from "../../kernel/endpoint.ts"
import { jsonType, xmlType } from "../../kernel/media-types.ts"
import { STATUS_CODES } from "../node-http.ts"
import type { Refer } from "./components.ts"
import { exampleOf } from "./example.ts"
import { answerHeaders, unchangedHeaders } from "./headers.ts"
import { parametersOf } from "./parameters.ts"
import { problemAnswers } from "./problem-answers.ts"
import { securityOf } from "./security.ts"

/** An endpoint as an OpenAPI operation. */
export function operationOf(operationId: string, endpoint: Endpoint<Scope, ProblemCode>, refer: Refer) {
  const { summary, tag, body, upload, consumes, answer, produces, status, deprecated } = endpoint
  const parameters = parametersOf(endpoint, refer)
  return {
    operationId,
    summary,
    description: descriptionOf(endpoint),
    tags: [tag],
    ...(deprecated && { deprecated }),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(upload && { requestBody: { required: true, content: uploadContent(upload, refer) } }),
    ...(body && { requestBody: { required: !Type.IsOptional(body), content: contentOf(consumes, body, refer) } }),
    responses: {
      [status]: {
        description: STATUS_CODES[status],
        headers: answerHeaders(endpoint),
        content: contentOf(produces, answer, refer),
      },
      ...(endpoint.conditional &&
        endpoint.method === "GET" && {
          "304": { description: "Not changed since the ETag in `If-None-Match`", headers: unchangedHeaders() },
        }),
      ...problemAnswers(endpoint),
    },
  }
}

function descriptionOf({ description, scope }: Endpoint<Scope, ProblemCode>): string {
  const credential = { open: "Needs no credential.", any: "Needs a credential, of any scope." }
  const needs = scope === "open" || scope === "any" ? credential[scope] : `Needs the scope \`${scope}\`.`
  return description === undefined ? needs : `${description} ${needs}`
}

const file = { type: "string", format: "binary", contentMediaType: "application/octet-stream" }

function uploadContent({ types, fields }: UploadShape, refer: Refer) {
  const { properties = {} } = refer(fields) as { properties?: object }
  const example = { file: "the bytes of the file", ...(exampleOf(fields) as object) }
  const form = { type: "object", required: ["file"], properties: { file, ...properties } }
  return {
    "multipart/form-data": { schema: form, example },
    ...Object.fromEntries(types.map((type) => [type, { schema: file, example: example.file }])),
  }
}

/** An example in XML is made by tools, of the schema's annotations. */
const contentOf = (types: readonly string[] = [jsonType], schema: TSchema, refer: Refer) =>
  Object.fromEntries(
    types.map((type) => [type, { schema: refer(schema), ...(type !== xmlType && { example: exampleOf(schema) }) }]),
  )
