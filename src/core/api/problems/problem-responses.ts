import { type ProblemCode, problems } from "../../domain/problems/problems.ts"
import type { Scope } from "../../domain/scopes.ts"
import { type Endpoint, takesJson } from "../../kernel/endpoint/endpoint.ts"
import { onceForEach } from "../../kernel/flow/once-for-each.ts"
import { xmlType } from "../../kernel/network/media-types.ts"
import { STATUS_CODES } from "../../server/exchange/node-http.ts"
import { isAdministrative } from "../../server/pipeline/foreign-pages.ts"
import { problemHeaders } from "./headers.ts"
import { problemExample } from "./problem-example.ts"

/** Every problem an endpoint may respond with: those it lists, and those that its other fields imply. */
export const problemsOf = onceForEach((endpoint: Endpoint<Scope, ProblemCode>): readonly ProblemCode[] =>
  [...new Set([...ownProblemsOf(endpoint), ...impliedProblems(endpoint)])].sort(
    (a, b) => problems[a].status - problems[b].status,
  ),
)

function impliedProblems(endpoint: Endpoint<Scope, ProblemCode>): ProblemCode[] {
  const takesBody = endpoint.body !== undefined || endpoint.upload !== undefined
  const implied: (ProblemCode | false)[] = [
    ...ofAnyRequest,
    "malformed-request",
    endpoint.scope !== "open" && "unauthorized",
    endpoint.scope !== "open" && endpoint.cost !== 0 && "quota-exceeded",
    "too-many-requests",
    endpoint.scope !== "open" && endpoint.scope !== "any" && "forbidden",
    isAdministrative(endpoint) && "foreign-page",
    "invalid-parameter",
    endpoint.conditional === true && endpoint.method === "GET" && "precondition-failed",
    takesJson(endpoint) && "malformed-json",
    endpoint.consumes?.includes(xmlType) === true && "malformed-xml",
    takesBody && "invalid-body",
    takesBody && "body-too-large",
    endpoint.idempotent !== undefined && "idempotency-key-in-use",
    endpoint.idempotent !== undefined && "idempotency-key-reused",
  ]
  return implied.filter((code) => code !== false)
}

export const ownProblemsOf = (endpoint: Pick<Endpoint<Scope, ProblemCode>, "problems" | "bodyProblems">) => [
  ...new Set([...endpoint.problems, ...Object.values(endpoint.bodyProblems ?? {})]),
]

/** The response with the problems of any request. */
export const ofAny = "AnyRequest"

/** The problems of any request, which operations document as their `default` response. */
const ofAnyRequest = [
  "not-acceptable",
  "request-timeout",
  "unsupported-media-type",
  "header-too-large",
  "internal-error",
  "damaged",
  "overloaded",
  "unavailable",
] as const satisfies ProblemCode[]

/** The problems of an endpoint as OpenAPI responses: one per status, and `default` for those of any request. */
export const problemResponses = (endpoint: Endpoint<Scope, ProblemCode>) => ({
  ...Object.fromEntries(statusesOf(endpoint).map((status) => [status, { $ref: referenceTo(nameOf(status)) }])),
  default: { $ref: referenceTo(ofAny) },
})

/** The responses that `problemResponses` refers to. */
export function sharedProblemResponses(endpoints: readonly Endpoint<Scope, ProblemCode>[]) {
  const statuses = new Set(endpoints.flatMap(statusesOf))
  const [implied, own] = [impliedProblems, ownProblemsOf].map((of) => new Set(endpoints.flatMap(of)))
  const codesIn = (used: Set<ProblemCode> | undefined, status: number) =>
    (Object.keys(problems) as ProblemCode[]).filter((code) => used?.has(code) && problems[code].status === status)
  return {
    ...Object.fromEntries(
      [...statuses].map((status) => [
        nameOf(status),
        responseOf(codesIn(implied, status), codesIn(own, status), status),
      ]),
    ),
    [ofAny]: {
      ...responseOf(ofAnyRequest, [], 503),
      description: [...ofAnyRequest, "precondition-failed" as const].map(withStatus).join(" · "),
    },
  }
}

const withStatus = (code: ProblemCode): string => `${problems[code].status} \`${code}\``

const referenceTo = (name: string) => `#/components/responses/${name}`
const nameOf = (status: number): string => (STATUS_CODES[status] ?? "").replaceAll(" ", "")

function statusesOf(endpoint: Endpoint<Scope, ProblemCode>): number[] {
  const own = problemsOf(endpoint).filter((code) => !(ofAnyRequest as readonly ProblemCode[]).includes(code))
  return [...new Set(own.map((code) => problems[code].status))]
}

/** An operation's description lists its own problems. A list of codes is enough; /problems describes each. */
const responseOf = (implied: readonly ProblemCode[], own: readonly ProblemCode[], status: number) => ({
  description: [
    ...implied.map((code) => `\`${code}\`${implied.length + own.length > 1 ? "" : `: ${problems[code].title}`}`),
    ...(own.length > 0 ? [`${STATUS_CODES[status]}: the operation says which`] : []),
  ].join(" · "),
  headers: problemHeaders(status),
  content: {
    "application/problem+json": {
      schema: { $ref: "#/components/schemas/Problem" },
      examples: Object.fromEntries(
        shownOf([...implied, ...own]).map((code) => [code, { value: problemExample(code) }]),
      ),
    },
    "application/problem+xml": { schema: { $ref: "#/components/schemas/Problem" } },
  },
})

/** The first, and those with fields of their own; the page of each problem shows its example. */
const shownOf = (codes: readonly ProblemCode[]) =>
  codes.filter((code, index) => index === 0 || problemExample(code).errors !== undefined)
