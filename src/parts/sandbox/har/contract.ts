import type { Static } from "typebox"
import { Id, object, time } from "../../../core/kernel/schema/schema.ts"
import { Type } from "../../../core/kernel/schema/type.ts"

const Pairs = Type.Array(object("HarPair", { name: Type.String(), value: Type.String() }))

const bytes = Type.Integer({ minimum: -1, description: "Bytes; -1 where that is not known" })

const HarMessage = {
  httpVersion: Type.String(),
  cookies: Type.Array(Type.Object({}), { description: "Empty: cookies are credentials" }),
  headers: Pairs,
  headersSize: bytes,
  bodySize: bytes,
}

const HarEntry = object("HarEntry", {
  startedDateTime: time("When it arrived, in the time of the sandbox"),
  time: Type.Number({ description: "Milliseconds" }),
  request: object("HarRequest", {
    method: Type.String(),
    url: Type.String(),
    ...HarMessage,
    queryString: Pairs,
    postData: Type.Optional(object("HarPostData", { mimeType: Type.String(), text: Type.String() })),
  }),
  response: object("HarResponse", {
    status: Type.Integer({ description: "0 where there was none" }),
    statusText: Type.String(),
    ...HarMessage,
    content: object("HarContent", {
      size: Type.Integer({ minimum: 0 }),
      mimeType: Type.String(),
      text: Type.Optional(Type.String()),
    }),
    redirectURL: Type.String(),
  }),
  cache: Type.Object({}),
  timings: object("HarTimings", { send: Type.Number(), wait: Type.Number(), receive: Type.Number() }),
  _petstore: object(
    "HarFacts",
    { id: Id },
    { additionalProperties: true, description: "What the recorded request has besides" },
  ),
})
export type HarEntry = Static<typeof HarEntry>

/** Requests and responses as developer tools exchange them: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/. */
export const Har = object("Har", {
  log: object("HarLog", {
    version: Type.Literal("1.2"),
    creator: object("HarCreator", { name: Type.String(), version: Type.String() }),
    entries: Type.Array(HarEntry, { description: "Oldest first" }),
    comment: Type.Optional(Type.String({ description: "Present when older requests are left out: at most 15 MiB" })),
  }),
})
export type Har = Static<typeof Har>
