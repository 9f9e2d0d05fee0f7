import { type ProblemCode, problems } from "../../domain/problems/problems.ts"
import { basePath } from "../../kernel/network/path.ts"
import { type Problem, problem, type Violation } from "../../kernel/problem.ts"
import { object } from "../../kernel/schema/schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { problemDocument } from "../../server/writing/problem-response.ts"

/** An example of this problem, for the document and for its page. */
export function problemExample(code: ProblemCode) {
  return problemDocument(exampleProblem(code), problems[code], {
    publicUrl: "https://petstore.example",
    instance: `${basePath}/pet/1`,
    requestId: "6f1c4b0e-8f7a-4f0e-9b8e-2f6f3a1f0c11",
  })
}

/** An example of this problem, with its violations. */
export function exampleProblem(code: ProblemCode): Problem {
  const { status, title, meaning } = problems[code]
  return problem(code, violations[code] ?? (status === 404 ? title : meaning))
}

const violations: Partial<Record<ProblemCode, Violation[]>> = {
  "invalid-body": [
    { pointer: "/name", code: "required", detail: "is required" },
    { pointer: "/status", code: "not-allowed", detail: "must be one of available, pending, sold" },
  ],
  "invalid-parameter": [{ parameter: "petId", code: "wrong-type", detail: "must be an integer" }],
  "invalid-pet-id": [{ pointer: "/id", code: "required", detail: "is required" }],
}

/** The schema of every problem. */
export const ProblemSchema = object(
  "Problem",
  {
    type: Type.String({ format: "uri", description: "Address of a page about this kind of problem" }),
    title: Type.String({ description: "The kind of problem in words" }),
    status: Type.Integer({ format: "int32", description: "The status of the response" }),
    detail: Type.String({ description: "What happened and what to do about it" }),
    instance: Type.String({ description: "The path of the request" }),
    code: Type.String({ description: "Stable name of the kind of problem, for programs" }),
    message: Type.String({ description: "The same as detail" }),
    requestId: Type.String({ description: "Names the request in the service's log" }),
    errors: Type.Optional(
      Type.Array(
        object(
          "Violation",
          {
            pointer: Type.Optional(Type.String({ description: "Where in the body: a JSON pointer (RFC 6901)" })),
            parameter: Type.Optional(Type.String({ description: "Name of the parameter" })),
            code: Type.String({ description: "Stable name of the violated rule" }),
            detail: Type.String({ description: "What is wrong there, as the end of a sentence" }),
          },
          { examples: [violations["invalid-body"]?.[0]], xml: { name: "i" } },
        ),
        { description: "Every violation, with its location", xml: { wrapped: true } },
      ),
    ),
  },
  { examples: [problemExample("invalid-body")], xml: { name: "problem", namespace: "urn:ietf:rfc:7807" } },
)
