import { sharedHeaders } from "../../../core/api/problems/headers.ts"
import { ProblemSchema } from "../../../core/api/problems/problem-example.ts"
import { sharedProblemResponses } from "../../../core/api/problems/problem-responses.ts"
import { classicOperations } from "../../../core/domain/api.ts"
import { type EventKind, eventKinds } from "../../../core/domain/events/contract.ts"
import type { ProblemCode } from "../../../core/domain/problems/problems.ts"
import type { Scope } from "../../../core/domain/scopes.ts"
import { tagGroups, tags } from "../../../core/domain/tags.ts"
import type { Endpoint } from "../../../core/kernel/endpoint/endpoint.ts"
import { basePath } from "../../../core/kernel/network/path.ts"
import { schemaCollector } from "./components.ts"
import { operationOf } from "./operation.ts"
import { securitySchemesAt } from "./security.ts"
import { shareRepeated } from "./shared.ts"
import { messagesTag, webhookOf } from "./webhook.ts"

const introduction = "The classic Petstore API as a complete, reliable service."

const description = `**Credentials.** Every operation says which scope it needs. Send an API key in the header
\`api_key\`, or an access token (OAuth 2.0) in \`Authorization: Bearer …\`.

**Problems.** Errors are reported as \`application/problem+json\` (RFC 9457): \`code\` is stable and made for
programs, \`detail\` says what happened and what to do, \`errors\` lists every violation at once, and \`type\` leads to a
page about that kind of problem. The response \`AnyRequest\` lists the problems of any request, such as 431 for headers over 16 KiB.

**Names and numbers.** Every response names its request in \`X-Request-Id\`, as the service's log does. Ids are integers
below 2^53, so that no JSON parser rounds one.

**Safe to repeat.** Operations that take an \`Idempotency-Key\` do their work once, however often they are sent.
Operations that return an \`ETag\` take it back in \`If-Match\`, so that clients do not overwrite each other's changes.

**Compatible.** Fields of a body that are not listed here are ignored. \`null\` for an optional field means that it is omitted;
in a merge patch (\`PATCH\`) it removes the field. Responses may gain fields, so ignore those you do
not know.`

/** The parts of a document that other versions of OpenAPI write in another way. */
export type OpenapiDocument = {
  openapi: string
  info: { title: string; version: string; description: string; summary?: string; license: License }
  tags: readonly { name: string; description: string }[]
  "x-tagGroups"?: readonly { name: string; tags: readonly string[] }[]
  components: { securitySchemes: { oauth2: object } }
}

type License = { name: string; identifier: string }

/** The OpenAPI 3.1 document of a contract, derived from its endpoints, schemas and the problem table. */
export function openapi(
  api: Record<string, Endpoint<Scope, ProblemCode>>,
  version: string,
  /** The service's address; without it, addresses in the document are relative. */
  publicUrl = "",
  kinds: readonly EventKind[] = Object.keys(eventKinds) as EventKind[],
) {
  const { refer, schemas } = schemaCollector()
  const endpoints = classicFirst(api)
  const paths = Object.fromEntries(
    [...Map.groupBy(endpoints, ([, { path }]) => path)].map(([path, here]) => [
      path,
      Object.fromEntries(here.map(([name, each]) => [each.method.toLowerCase(), operationOf(name, each, api, refer)])),
    ]),
  )
  const webhooks = Object.fromEntries(kinds.map((kind) => [kind, webhookOf(kind, refer)]))
  refer(ProblemSchema)
  const usedTags = tagsOf([...endpoints.map(([, { tag }]) => tag), ...(kinds.length > 0 ? [messagesTag] : [])])
  const groups = groupsOf(usedTags.map(({ name }) => name))
  // Not those of webhooks: oapi-codegen drops components that only webhooks use.
  const { parameters, responses } = shareRepeated(Object.values(paths).flatMap((item) => Object.values(item)))

  return {
    openapi: "3.1.1",
    info: {
      title: "Petstore",
      version,
      summary: "Pets, on a reliable service",
      description: `${introduction}\n\n${description}`,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    externalDocs: { description: "Other descriptions of this API", url: `${publicUrl}/docs/descriptions` },
    servers: [{ url: `${publicUrl}${basePath}`, description: "This service" }],
    tags: usedTags,
    ...(groups.length > 1 && { "x-tagGroups": groups }),
    security: [{ api_key: [] }, { oauth2: [] }],
    paths,
    ...(kinds.length > 0 && { webhooks }),
    components: {
      securitySchemes: securitySchemesAt(publicUrl),
      schemas: schemas(),
      headers: sharedHeaders,
      parameters,
      responses: { ...responses, ...sharedProblemResponses(endpoints.map(([, endpoint]) => endpoint)) },
    },
  }
}

/** The tags in use, in the order of the table. */
const tagsOf = (used: string[]) =>
  Object.entries(tags)
    .filter(([name]) => used.includes(name))
    .map(([name, description]) => ({ name, description }))

const groupsOf = (used: string[]) =>
  Object.entries(tagGroups)
    .map(([name, members]) => ({ name, tags: members.filter((tag) => used.includes(tag)) }))
    .filter(({ tags }) => tags.length > 0)

/** The operations of the public Petstore in its order, then the others. */
const classicFirst = (api: Record<string, Endpoint<Scope, ProblemCode>>) =>
  [...new Set<string>([...classicOperations, ...Object.keys(api)])].flatMap((name) => {
    const found = api[name]
    return found ? [[name, found] as const] : []
  })
