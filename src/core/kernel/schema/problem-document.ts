import type { Static } from "typebox"
import type { Problem, ProblemKind, Violation } from "../problem.ts"
import { object } from "./schema.ts"
import { Type } from "./type.ts"

export const Violations = Type.Unsafe<Violation[]>(
  Type.Array(
    object(
      "Violation",
      {
        pointer: Type.Optional(Type.String({ description: "Where in the body: a JSON pointer (RFC 6901)" })),
        parameter: Type.Optional(Type.String({ description: "Name of the parameter" })),
        code: Type.String({ description: "Stable name of the violated rule" }),
        detail: Type.String({ description: "What is wrong there, as the end of a sentence" }),
      },
      {
        examples: [{ pointer: "/name", code: "required", detail: "is required" }],
        xml: { name: "i" },
      },
    ),
    { description: "Every violation, with its location", xml: { wrapped: true } },
  ),
)

/** A problem document: RFC 9457 and the service's own members. */
export const ProblemDocument = object(
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
    errors: Type.Optional(Violations),
  },
  { examples: [], xml: { name: "problem", namespace: "urn:ietf:rfc:7807" } },
)
export type ProblemDocument = Static<typeof ProblemDocument>

/** The document of a problem; `message` repeats `detail` for clients of the classic Petstore. */
export function problemDocument(
  { code, detail, members, violations }: Problem,
  { status, title }: ProblemKind,
  about: { publicUrl: string; instance: string; requestId: string },
): ProblemDocument {
  return {
    type: `${about.publicUrl}/problems/${code}`,
    title,
    status,
    detail,
    instance: about.instance,
    code,
    message: detail,
    requestId: about.requestId,
    ...members,
    ...(violations.length > 0 && { errors: [...violations] }),
  }
}
