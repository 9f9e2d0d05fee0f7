import type { Static } from "typebox"
import { Id, object } from "../../../core/kernel/schema/schema.ts"
import { Type } from "../../../core/kernel/schema/type.ts"

const RequestChange = object("RequestChange", {
  pointer: Type.String({
    description: "JSON Pointer (RFC 6901) to a header, to the body, or to a member of a body that is a JSON object",
    examples: ["/headers/traceparent"],
  }),
  before: Type.Optional(
    Type.String({ description: "The beginning of its text in the attempt before; absent where it had none" }),
  ),
  after: Type.Optional(Type.String({ description: "The same in this attempt" })),
})
export type RequestChange = Static<typeof RequestChange>

const RequestAttempt = object("RequestAttempt", {
  id: Id,
  outcome: Type.String({
    description:
      "What the client received: the status, or what a fault made of the response: `dropped`, `reset`, `lost`, `empty`, `truncated` or `garbage`",
    examples: ["503"],
  }),
  waitedMs: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "From the end of the attempt before to the arrival of this one, in the time of the sandbox",
    }),
  ),
  changes: Type.Optional(
    Type.Array(RequestChange, {
      description: "What this request has other than the attempt before, at most 20; absent where nothing differs",
    }),
  ),
})
export type RequestAttempt = Static<typeof RequestAttempt>

/** What a recorded request has of the attempts to which it belongs. */
export const attempted = {
  attempts: Type.Optional(
    Type.Array(RequestAttempt, {
      description:
        "The attempts at this request, itself among them, oldest first: those with the same credential, method and path, and with the same " +
        "`Idempotency-Key`, or with the same body at most a minute after the one before. In lists only with `group=attempts`, and not in the stream",
    }),
  ),
  bodiesEqual: Type.Optional(
    Type.Boolean({
      description:
        "Whether the attempts have equal bodies, byte by byte; absent where they have none, or one is not recorded as it was sent",
    }),
  ),
  keysEqual: Type.Optional(
    Type.Boolean({ description: "Whether the attempts have the same `Idempotency-Key`; absent where none has one" }),
  ),
}

/** How requests are listed. */
export const grouping = {
  group: Type.Optional(
    Type.Enum(["attempts"], {
      description: "Shows attempts at a request as one",
    }),
  ),
}
