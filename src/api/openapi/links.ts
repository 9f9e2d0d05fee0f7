import { type Endpoint, takesJson } from "../../kernel/endpoint/endpoint.ts"
import { pathParameters } from "../../kernel/network/path.ts"
import type { JsonSchema } from "../../kernel/schema/type.ts"

type Api = Readonly<Record<string, Endpoint>>

/** The member of a response that identifies what was created, and the path parameter that takes it. */
type Identity = { member: string; parameter: string }

/** A link to an operation, with what it takes from the response, as a parameter or as a member of the body. */
type Link = { operationId: string; parameters?: Record<string, string>; requestBody?: Record<string, string> }

/** The links of an operation that creates a resource (OpenAPI 3.1, Link Object) to the operations that take its identity. */
export function linksOf(creation: Endpoint, api: Api): { links?: Record<string, Link> } {
  const identity = identityOf(creation, api)
  if (identity === undefined) return {}
  const links: Record<string, Link> = {}
  const value = `$response.body#/${identity.member}`
  for (const [operationId, endpoint] of Object.entries(api)) {
    const name = referenceIn(endpoint, creation, identity)
    if (isAddressed(endpoint, creation, identity))
      links[operationId] = { operationId, parameters: { ...outerOf(creation), [identity.parameter]: value } }
    else if (name !== undefined) links[operationId] = { operationId, requestBody: { [name]: value } }
  }
  return { links }
}

/** The parameters of the collection itself, which the request has. */
const outerOf = ({ path }: Endpoint) =>
  Object.fromEntries(pathParameters(path).map((name) => [name, `$request.path.${name}`]))

/** The identity of what a `POST` to a collection creates; undefined for other operations. */
export function identityOf({ method, path, response }: Endpoint, api: Api): Identity | undefined {
  const { properties = {} } = response as JsonSchema
  const [parameter] = Object.values(api).flatMap((endpoint) =>
    endpoint.path.startsWith(`${path}/{`) ? pathParameters(endpoint.path.slice(path.length)) : [],
  )
  if (method !== "POST" || parameter === undefined) return undefined
  const member = parameter in properties ? parameter : "id"
  return member in properties ? { member, parameter } : undefined
}

/** Whether the path takes exactly the identity. A parameter named `id` has a meaning within its own resource only. */
function isAddressed({ path }: Endpoint, creation: Endpoint, { parameter }: Identity): boolean {
  const resource = `${creation.path}/{${parameter}}`
  const isOwn = path === resource || path.startsWith(`${resource}/`)
  const taken = [...pathParameters(creation.path), parameter]
  return (isOwn || parameter !== "id") && pathParameters(path).join() === taken.join()
}

/** The member of a body that refers to what was created: `petId` of an order, `id` of a pet that is replaced. */
function referenceIn(endpoint: Endpoint, creation: Endpoint, { member, parameter }: Identity): string | undefined {
  if (!takesJson(endpoint) || endpoint === creation || pathParameters(endpoint.path).length > 0) return undefined
  const isReplacement = endpoint.method === "PUT" && endpoint.path === creation.path
  const name = isReplacement ? member : parameter
  const { properties = {} } = endpoint.body as JsonSchema
  return name in properties && (isReplacement || name !== "id") ? name : undefined
}
