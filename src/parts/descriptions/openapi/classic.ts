import { ofAny } from "../../../core/api/problems/problem-responses.ts"
import { type ApiContract, classicOperations } from "../../../core/domain/api.ts"
import type { ProblemCode } from "../../../core/domain/problems/problems.ts"
import type { Scope } from "../../../core/domain/scopes.ts"
import type { Endpoint } from "../../../core/kernel/endpoint/endpoint.ts"
import { mapValues } from "../../../core/kernel/json/map-values.ts"
import { multipartType, urlencodedType } from "../../../core/kernel/network/media-types.ts"
import type { Schema } from "./components.ts"
import { openapi } from "./document.ts"

type Response = { $ref?: string; headers?: Record<string, { $ref?: string }>; content?: Record<string, Schema> }
type Operation = { requestBody?: Body; responses: Record<string, Response> }
type Body = { content: Record<string, Schema> }

/** The statuses listed for each operation; others are its `default` response here, and in full in the whole document. */
const listedStatuses = ["200", "400", "404", "409", "422", "default"]

/** The OpenAPI document of the classic operations alone, abridged: no shared headers, and no examples of problems. */
export function openapiOfClassic(api: ApiContract, version: string, publicUrl: string) {
  const classic = Object.fromEntries(classicOperations.map((name) => [name, withoutConditions(api[name])]))
  const { components, info, externalDocs: __, ...document } = openapi(classic, version, publicUrl, [])
  const { headers: _, responses, ...rest } = components
  const paths = mapValues(document.paths, (item) => mapValues(item, abridgeOperation))
  const told = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap(referencesOf)))
  const shared = Object.entries(responses as Record<string, Response>).filter(([name]) => told.has(name))
  return {
    ...document,
    info: { ...info, description: info.description.split("\n\n").slice(0, 2).join("\n\n") },
    paths,
    components: {
      ...rest,
      responses: {
        ...mapValues(Object.fromEntries(shared), abridgeResponse),
        [ofAny]: { ...abridgeResponse(responses[ofAny]), description: "Any other problem; its `code` says which" },
      },
    },
  }
}

/** The public Petstore has neither conditional requests nor `Idempotency-Key`. */
function withoutConditions({ idempotent: _, conditional: __, ...endpoint }: Endpoint<Scope, ProblemCode>) {
  return { ...endpoint, problems: endpoint.problems.filter((code) => code !== "precondition-failed") }
}

const abridgeOperation = (operation: Operation): Operation => ({
  ...operation,
  ...(operation.requestBody && { requestBody: withOneForm(operation.requestBody) }),
  responses: Object.fromEntries(
    Object.entries(operation.responses)
      .filter(([status]) => listedStatuses.includes(status))
      .map(([status, response]) => [status, abridgeResponse(response)]),
  ),
})

/** As in the public Petstore: swagger-codegen makes a method of each form, with the same name. */
function withOneForm({ content, ...body }: Body): Body {
  const { [multipartType]: _, ...others } = content
  return { ...body, content: urlencodedType in others ? others : content }
}

function abridgeResponse({ headers = {}, content, ...response }: Response): Response {
  const own = Object.entries(headers).filter(([, { $ref }]) => $ref === undefined)
  return {
    ...response,
    ...(own.length > 0 && { headers: Object.fromEntries(own) }),
    ...(content && { content: abridgeContent(content) }),
  }
}

/** A problem in XML has the same schema as in JSON. */
function abridgeContent(content: Record<string, Schema>): Record<string, Schema> {
  const told = Object.entries(content).filter(([type]) => type !== "application/problem+xml")
  return mapValues(Object.fromEntries(told), ({ examples: _, ...media }) => media)
}

const referencesOf = ({ responses }: Operation): string[] =>
  Object.values(responses).flatMap(({ $ref }) => $ref?.split("/").at(-1) ?? [])
