import { Type } from "typebox"
import { type ProblemCode, problems } from "../../domain/problems.ts"
import type { Scope } from "../../domain/scopes.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"
import { basePath } from "../../kernel/path.ts"
import { Problem, sentence, type Violation } from "../../kernel/problem.ts"
import { named } from "../../kernel/schema.ts"
import { problemDocument } from "../messages/problem-response.ts"
import { isAdministrative } from "../routes/foreign-pages.ts"
import { problemHeaders } from "./headers.ts"

/** Every problem an endpoint may answer with: what it lists and what its other members imply. */
export function problemsOf(endpoint: Endpoint<Scope, ProblemCode>): ProblemCode[] {
  const takesBody = endpoint.body !== undefined || endpoint.upload !== undefined
  const implied: (ProblemCode | false)[] = [
    "malformed-request",
    "not-acceptable",
    "request-timeout",
    "header-too-large",
    "internal-error",
    "overloaded",
    "unavailable",
    "too-many-requests",
    endpoint.scope !== "open" && "unauthorized",
    endpoint.scope !== "open" && endpoint.cost !== 0 && "quota-exceeded",
    endpoint.scope !== "open" && endpoint.scope !== "any" && "forbidden",
    isAdministrative(endpoint) && "foreign-page",
    "invalid-parameter",
    endpoint.body !== undefined && "malformed-json",
    takesBody && "invalid-body",
    takesBody && "body-too-large",
    "unsupported-media-type",
    endpoint.idempotent !== undefined && "idempotency-key-in-use",
    endpoint.idempotent !== undefined && "idempotency-key-reused",
  ]
  const named = [...endpoint.problems, ...Object.values(endpoint.bodyProblems ?? {}), ...implied]
  return [...new Set(named.filter((code) => code !== false))].sort((a, b) => problems[a].status - problems[b].status)
}

/** The problems of an endpoint as OpenAPI responses: one for each status, which operations share. */
export const problemAnswers = (endpoint: Endpoint<Scope, ProblemCode>) =>
  Object.fromEntries(
    byStatus(endpoint).map(([status, codes]) => [status, { $ref: `#/components/responses/${nameOf(codes)}` }]),
  )

/** The responses `problemAnswers` refers to, with an example for each kind of problem. */
export const sharedProblemAnswers = (endpoints: readonly Endpoint<Scope, ProblemCode>[]) =>
  Object.fromEntries(
    endpoints.flatMap(byStatus).map(([status, codes]) => [
      nameOf(codes),
      {
        description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join(" · "),
        headers: problemHeaders(status),
        content: {
          "application/problem+json": {
            schema: { $ref: "#/components/schemas/Problem" },
            examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
          },
        },
      },
    ]),
  )

const byStatus = (endpoint: Endpoint<Scope, ProblemCode>): [number, ProblemCode[]][] => [
  ...Map.groupBy(problemsOf(endpoint), (code) => problems[code].status),
]

const nameOf = (codes: readonly ProblemCode[]): string => codes.toSorted().join(".")

const violations: Partial<Record<ProblemCode, Violation[]>> = {
  "invalid-body": [
    { pointer: "/name", code: "required", detail: "is required" },
    { pointer: "/status", code: "not-allowed", detail: "must be one of available, pending, sold" },
  ],
  "invalid-parameter": [{ parameter: "petId", code: "wrong-type", detail: "must be an integer" }],
  "invalid-pet-id": [{ pointer: "/id", code: "required", detail: "is required" }],
}

/** What a problem of this kind looks like, for the document and for its page. */
export function problemExample(code: ProblemCode) {
  const { status, title, meaning } = problems[code]
  const broken = violations[code]
  const problem = broken
    ? new Problem(code, sentence(broken), { violations: broken })
    : new Problem(code, status === 404 ? title : meaning)
  const value = problemDocument(problem, {
    publicUrl: "https://petstore.example",
    instance: `${basePath}/pet/1`,
    requestId: "6f1c4b0e-8f7a-4f0e-9b8e-2f6f3a1f0c11",
  })
  return { summary: title, description: meaning, value }
}

export const ProblemDocument = named(
  "Problem",
  Type.Object({
    type: Type.String({ format: "uri", description: "Leads to a page about problems of this kind" }),
    title: Type.String({ description: "The kind of problem in words" }),
    status: Type.Integer({ format: "int32", description: "The status of the answer" }),
    detail: Type.String({ description: "What happened and what to do about it" }),
    instance: Type.String({ description: "The path of the request" }),
    code: Type.String({ description: "Stable name of the kind of problem, for programs" }),
    message: Type.String({ description: "The same as detail" }),
    requestId: Type.String({ description: "Names the request in the service's log" }),
    errors: Type.Optional(
      Type.Array(
        named(
          "Violation",
          Type.Object({
            pointer: Type.Optional(Type.String({ description: "Where in the body: a JSON pointer (RFC 6901)" })),
            parameter: Type.Optional(Type.String({ description: "Name of the parameter" })),
            code: Type.String({ description: "Stable name of the broken rule" }),
            detail: Type.String({ description: "The end of a sentence that begins with the place" }),
          }),
        ),
        { description: "Every broken rule and where it is" },
      ),
    ),
  }),
)
