import type { Static } from "typebox"
import { Id, object } from "../../../core/kernel/schema/schema.ts"
import { Type } from "../../../core/kernel/schema/type.ts"

/** What a request must have to be sought; all members together. */
export const matcher = {
  operation: Type.Optional(
    Type.String({ maxLength: 64, description: "Only this operation", examples: ["placeOrder"] }),
  ),
  method: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z]{1,20}$",
      "x-rule": "must be a method such as POST",
      description: "Only this method",
      examples: ["POST"],
    }),
  ),
  path: Type.Optional(
    Type.String({
      maxLength: 2048,
      pattern: "^/",
      "x-rule": "must begin with a slash",
      description: "Only this path of the API; `*` at its end matches the rest",
      examples: ["/pet/*"],
    }),
  ),
  key: Type.Optional({ ...Id, description: "Only requests with the API key with this id" }),
  status: Type.Optional(
    Type.Unsafe<string | number>({
      type: "string",
      "x-number": true,
      pattern: "^[1-5](xx|[0-9]{2})$",
      "x-rule": "must be a status such as 404 or 4xx",
      description: "Only this status, or `4xx` for all of a class",
      examples: ["4xx"],
    }),
  ),
  header: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: "Only requests with this header, or with this header and value",
      examples: ["Idempotency-Key: order-7"],
    }),
  ),
  requestId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: "Only the request with this id, which `X-Request-Id` and problems have",
      examples: ["WDlGsCvnxcaG-1"],
    }),
  ),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: "Only requests whose recorded body contains this text",
      examples: ['"petId":4'],
    }),
  ),
}
export const RequestMatcher = object("RequestMatcher", matcher, { additionalProperties: false })
export type RequestMatcher = Static<typeof RequestMatcher>
