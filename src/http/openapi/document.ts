import { type EventKind, eventKinds } from "../../domain/events/contract.ts"
import { type ProblemCode, problems } from "../../domain/problems.ts"
import type { Scope } from "../../domain/scopes.ts"
import { type Tag, tags } from "../../domain/tags.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"
import { basePath } from "../../kernel/path.ts"
import { schemaCollector } from "./components.ts"
import { sharedHeaders } from "./headers.ts"
import { operationOf } from "./operation.ts"
import { ProblemDocument, problemExample, problemsOf, sharedProblemAnswers } from "./problem-answers.ts"
import { securitySchemes } from "./security.ts"
import { webhookOf } from "./webhook.ts"

const description = `The pet store everybody knows from the demos, as software one can rely on.

**Credentials.** Every operation says which scope it needs. Send an API key in the header
\`api_key\`, or an access token (OAuth 2.0) in \`Authorization: Bearer …\`.

**Problems.** Whatever goes wrong is told as \`application/problem+json\` (RFC 9457): \`code\` is stable and made for
programs, \`detail\` says what happened and what to do, \`errors\` lists every violation at once, and \`type\` leads to a
page about that kind of problem.

**Safe to repeat.** Operations that take an \`Idempotency-Key\` do their work once, however often they are sent.
Operations that answer an \`ETag\` take it back in \`If-Match\`, so that nobody overwrites what somebody else changed.

**Compatible.** Members of a body that are not listed here are ignored; answers may gain members, so ignore those you do
not know.`

/** The OpenAPI 3.1 document of a contract; says nothing that the endpoints, schemas and problem table do not say. */
export function openapi(api: Record<string, Endpoint<Scope, ProblemCode>>, version: string) {
  const { refer, schemas } = schemaCollector()
  const endpoints = Object.entries(api)
  const paths = Object.fromEntries(
    [...Map.groupBy(endpoints, ([, { path }]) => path)].map(([path, here]) => [
      path,
      Object.fromEntries(here.map(([name, each]) => [each.method.toLowerCase(), operationOf(name, each, refer)])),
    ]),
  )
  const webhooks = Object.fromEntries(
    (Object.keys(eventKinds) as EventKind[]).map((kind) => [kind, webhookOf(kind, refer)]),
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
    servers: [{ url: basePath, description: "This service" }],
    tags: tagsOf(endpoints.map(([, { tag }]) => tag)),
    security: [{ api_key: [] }, { oauth2: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes,
      schemas: schemas(),
      headers: sharedHeaders,
      responses: sharedProblemAnswers(endpoints.map(([, endpoint]) => endpoint)),
      examples: Object.fromEntries(codesOf(endpoints).map((code) => [code, problemExample(code)])),
    },
  }
}

/** The tags in use, in the order of the table. */
const tagsOf = (used: string[]) =>
  Object.entries(tags)
    .filter(([name]) => used.includes(name) || name === ("events" satisfies Tag))
    .map(([name, description]) => ({ name, description }))

/** The problems some endpoint may answer with, in the order of the table. */
function codesOf(endpoints: [string, Endpoint<Scope, ProblemCode>][]): ProblemCode[] {
  const used = new Set(endpoints.flatMap(([, endpoint]) => problemsOf(endpoint)))
  return (Object.keys(problems) as ProblemCode[]).filter((code) => used.has(code))
}
