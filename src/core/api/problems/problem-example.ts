import { type ProblemCode, problems } from "../../domain/problems/problems.ts"
import { basePath } from "../../kernel/network/path.ts"
import { type Problem, problem, type Violation } from "../../kernel/problem.ts"
import { ProblemDocument, problemDocument } from "../../kernel/schema/problem-document.ts"

/** An example of this problem, for the document and for its page. */
export function problemExample(code: ProblemCode) {
  return problemDocument(exampleProblem(code), problems[code], {
    publicUrl: "https://petstore.example",
    instance: `${basePath}/pet/1`,
    requestId: "6f1c4b0e-8f7a-4f0e-9b8e-2f6f3a1f0c11",
  })
}

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

export const ProblemSchema = { ...ProblemDocument, examples: [problemExample("invalid-body")] }
