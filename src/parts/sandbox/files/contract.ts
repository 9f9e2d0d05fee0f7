import type { Static } from "typebox"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { Type } from "../../../core/kernel/schema/type.ts"

/** The size of a sandbox file. What a full sandbox has, 32 MiB of database and 64 MiB of images, takes less. */
export const sandboxFileBytesMax = 192 * 1024 * 1024

const noOthers = { additionalProperties: false }
const Rows = Type.Array(Type.Array(Type.Unsafe<string | number | null>({ type: ["string", "integer", "null"] })))

/** Everything that a sandbox has, as a sandbox file contains it. Times are in milliseconds. */
export const SandboxData = Type.Object(
  {
    format: Type.String({ pattern: "^petstore-sandbox$", "x-rule": "must be petstore-sandbox" }),
    version: Type.Integer({ minimum: 1, maximum: 1, description: "Of the format" }),
    schema: Type.Integer({ minimum: 1, description: "The version of the tables" }),
    clock: Type.Object(
      {
        time: Type.Integer(),
        steady: Type.Integer({ description: "The time of the limits" }),
        frozen: Type.Boolean(),
        start: Type.Unsafe<number | null>({ type: ["integer", "null"], description: "To which a reset returns" }),
        startsFrozen: Type.Boolean(),
      },
      noOthers,
    ),
    sealingKey: Type.String({
      pattern: "^[A-Za-z0-9+/]{43}=$",
      "x-rule": "must be 32 bytes in base64",
      description: "Opens the secrets of webhooks",
    }),
    tables: Type.Unsafe<Record<string, Static<typeof Rows>>>({
      type: "object",
      additionalProperties: Rows,
      description: "Of each table the names of its columns, and then its rows",
    }),
    images: Type.Unsafe<Record<string, Record<string, string>>>({
      type: "object",
      additionalProperties: { type: "object", additionalProperties: { type: "string" } },
      description: "The files of images, in base64",
    }),
  },
  { description: "The data in a sandbox file, instead of a seed or a source", ...noOthers },
)
export type SandboxData = Static<typeof SandboxData>

/** The text of a sandbox file in UTF-8, a stream to be read or destroyed. */
export type SandboxStream = Extract<HttpResponse["body"], AsyncIterable<unknown>>
