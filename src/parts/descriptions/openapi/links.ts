import type { Endpoint } from "../../../core/kernel/endpoint/endpoint.ts"
import { pathParameters } from "../../../core/kernel/network/path.ts"
import type { JsonSchema } from "../../../core/kernel/schema/type.ts"

type Api = Readonly<Record<string, Endpoint>>

/** The member of a response that identifies what was created, and the path parameter that takes it. */
type CreatedId = { member: string; parameter: string }

type Link = { operationId: string; parameters: Record<string, string> }

/**
 * The links of an operation that creates a resource (OpenAPI 3.1, Link Object) to the operations that take its identity in their path.
 * Not in their body: openapi-generator refuses a link whose `requestBody` is an object.
 */
export function linksOf(creation: Endpoint, api: Api): { links?: Record<string, Link> } {
  const identity = identityOf(creation, api)
  if (identity === undefined) return {}
  const parameters = { ...outerOf(creation), [identity.parameter]: `$response.body#/${identity.member}` }
  const linked = Object.entries(api).filter(([, endpoint]) => isAddressed(endpoint, creation, identity))
  return { links: Object.fromEntries(linked.map(([operationId]) => [operationId, { operationId, parameters }])) }
}

/** The parameters of the collection itself, which the request has. */
const outerOf = ({ path }: Endpoint) =>
  Object.fromEntries(pathParameters(path).map((name) => [name, `$request.path.${name}`]))

/** The identity of what a `POST` to a collection creates; undefined for other operations. */
export function identityOf({ method, path, response }: Endpoint, api: Api): CreatedId | undefined {
  const { properties = {} } = response as JsonSchema
  const [parameter] = Object.values(api).flatMap((endpoint) =>
    endpoint.path.startsWith(`${path}/{`) ? pathParameters(endpoint.path.slice(path.length)) : [],
  )
  if (method !== "POST" || parameter === undefined) return undefined
  const member = parameter in properties ? parameter : "id"
  return member in properties ? { member, parameter } : undefined
}

/** Whether the path takes exactly the identity. A parameter named `id` has a meaning within its own resource only. */
function isAddressed({ path }: Endpoint, creation: Endpoint, { parameter }: CreatedId): boolean {
  const resource = `${creation.path}/{${parameter}}`
  const isOwn = path === resource || path.startsWith(`${resource}/`)
  const taken = [...pathParameters(creation.path), parameter]
  return (isOwn || parameter !== "id") && pathParameters(path).join() === taken.join()
}
