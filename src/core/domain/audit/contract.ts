import type { Static } from "typebox"
import { Id, object, time } from "../../kernel/schema/schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { endpoint } from "../endpoint.ts"

const word = { pattern: "^[\\w:.-]{1,64}$", "x-rule": "must be a name, or a noun and an id, such as key:7" }
const reference = { examples: ["key:7"] }
/** One of these filters at a time. */
const alone = { "x-exclusive": true }
const action = { examples: ["key.created"] }

const AuditEntry = object("AuditEntry", {
  id: Id,
  time: time(),
  // Not an enumeration: new actions must not break clients.
  action: Type.String(action),
  result: Type.Enum(["done", "refused"]),
  principal: Type.String(reference),
  credential: Type.Optional(Type.String(reference)),
  account: Type.Optional(Id),
  address: Type.Optional(Type.String({ examples: ["203.0.113.7"] })),
  requestId: Type.Optional(Type.String({ examples: ["6f1c4b0e-8f7a-4f0e-9b8e-2f6f3a1f0c11"] })),
  thing: Type.Optional(Type.String(reference)),
  details: Type.Optional(Type.Object({})),
  previous: Type.String({ examples: ["0".repeat(64)] }),
  hash: Type.String({ examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"] }),
})
export type AuditEntry = Static<typeof AuditEntry>

/** The text whose SHA-256 is the hash of an entry. */
export const hashedText = ({ hash: _, ...content }: AuditEntry): string => JSON.stringify(content)

const AuditQuery = Type.Object({
  account: Type.Optional(Type.Integer({ ...Id, ...alone, description: "Filter by account" })),
  principal: Type.Optional(Type.String({ ...word, ...reference, ...alone, description: "Filter by actor" })),
  action: Type.Optional(Type.String({ ...word, ...action, ...alone, description: "Filter by action" })),
  thing: Type.Optional(Type.String({ ...word, ...reference, ...alone, description: "Filter by subject" })),
  since: Type.Optional(time("Start of the time range")),
  until: Type.Optional(time("End of the time range, exclusive")),
})
export type AuditQuery = Static<typeof AuditQuery>

export const audit = {
  listAudit: endpoint("GET", "/audit", {
    summary: "Read the audit log",
    description:
      "Newest first. `since` and `until` can be combined with one of the other filters. `hash` is the SHA-256 of the entry's " +
      "JSON without it, and `previous` that of the entry before.",
    tag: "audit",
    command: "audit list",
    scope: "admin",
    query: AuditQuery,
    response: Type.Array(AuditEntry, { maxItems: 1000 }),
    paged: true,
  }),
}
