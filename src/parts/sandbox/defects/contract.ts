import { endpointsWith } from "../../../core/domain/endpoint.ts"
import { object } from "../../../core/kernel/schema/schema.ts"
import { Type } from "../../../core/kernel/schema/type.ts"

/** The defects that a sandbox can have, by category; `docs/defects.md` says what each is. */
export const defectIds = {
  responses: [
    "pet-without-name",
    "id-as-text",
    "unknown-status-word",
    "json-as-plain-text",
    "null-member",
    "ids-rounded",
    "stack-trace",
  ],
  statuses: [
    "creation-is-201",
    "absent-is-200",
    "nothing-found-is-404",
    "reading-is-201",
    "emoji-fails",
    "long-text-fails",
    "zero-fails",
    "challenge-missing",
    "location-leads-nowhere",
  ],
  state: [
    "update-drops-tags",
    "patch-resets-status",
    "delete-keeps-pet",
    "failed-creation-stays",
    "failed-update-changes",
    "invalid-order-accepted",
    "repeated-put-differs",
    "lost-update",
    "key-of-repetition-ignored",
    "stale-read",
    "inventory-off-by-one",
    "etag-never-changes",
  ],
  authorization: [
    "order-of-others-readable",
    "order-of-others-deletable",
    "existence-revealed",
    "scope-unchecked",
    "revoked-key-accepted",
    "anonymous-read",
    "anonymous-delete",
    "valid-key-unrecognized",
    "mass-assignment",
  ],
  lists: ["item-missing-between-pages", "item-on-two-pages", "next-page-without-end", "total-off-by-one"],
  limits: ["limit-not-enforced", "retry-after-missing"],
  webhooks: ["event-with-two-ids", "signature-of-other-bytes"],
} as const

type DefectCategory = keyof typeof defectIds

/** What shows defects that neither a key for everything nor a request without one shows: other credentials, headers, a receiver of webhooks. */
const defectMeans = [
  "limited key",
  "reader key",
  "user token",
  "ETag",
  "If-Match",
  "Idempotency-Key",
  "Prefer",
  "receiver",
] as const

export type DefectMeans = (typeof defectMeans)[number]
export type DefectId = (typeof defectIds)[DefectCategory][number]

const DefectName = Type.Enum(Object.values<readonly DefectId[]>(defectIds).flat())

const DefectsOn = object("DefectsOn", {
  defects: Type.Array(DefectName, { description: "Those that the sandbox has now" }),
})

const Defects = object("Defects", {
  defects: DefectsOn.properties.defects,
  known: Type.Array(
    object("Defect", {
      id: DefectName,
      category: Type.Enum(Object.keys(defectIds)),
      code: Type.Optional(Type.Integer({ description: "In the catalogue of Web Fuzzing Commons" })),
      wrong: Type.String({ description: "What is wrong" }),
      breaks: Type.String({ description: "The rule that it breaks" }),
      see: Type.String({ description: "How to see it with curl" }),
      operations: Type.Array(Type.String(), {
        description: "Those that have it; empty if any has, or a message to a webhook",
      }),
      seenWith: Type.Optional(
        Type.Array(Type.Enum([...defectMeans]), { description: "It is seen with one of these only" }),
      ),
    }),
  ),
})

const endpoint = endpointsWith({ tag: "sandbox", scope: "admin", cost: 0, conditional: true })

/** Defects on purpose, which show how good a tool is that tests APIs. */
export const defects = {
  getDefects: endpoint("GET", "/sandbox/defects", {
    summary: "Read the defects of the sandbox, and all that it could have",
    command: "sandbox defects",
    response: Defects,
  }),

  setDefects: endpoint("PUT", "/sandbox/defects", {
    summary: "Give the sandbox defects",
    description:
      "Replaces the defects that it has; an empty list ends all. Each is a mistake of a kind that services have, and stays until a reset, " +
      "which returns to those of `PETSTORE_DEFECTS`. Operations of the sandbox itself are correct.",
    command: "sandbox set-defects",
    body: object(
      "DefectChoice",
      { defects: Type.Array(DefectName, { maxItems: 100, examples: [["retry-after-missing"]] }) },
      { additionalProperties: false },
    ),
    response: DefectsOn,
    problems: ["precondition-failed"],
  }),
}
