import type { Static } from "typebox"
import { jsonType, ndjsonType } from "../../../kernel/network/media-types.ts"
import { Id, object } from "../../../kernel/schema/schema.ts"
import { Type } from "../../../kernel/schema/type.ts"
import { endpointsWith } from "../../endpoint.ts"
import { importBytesMax, PetPatch } from "../contract.ts"
import { PetResult } from "../import/contract.ts"

/** A misspelt member would change more than the line says. */
const noOthers = { additionalProperties: false }

const etag = '"2FDMcEIdUCmlQKIjUBkbFg"'
const line = {
  id: Id,
  ifMatch: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: '^(\\*|"[\\x21\\x23-\\x7e]*")$',
      "x-rule": "must be an ETag with its quotes, or *",
      description: "Only if the pet still has this ETag",
      examples: [etag],
    }),
  ),
}

const PetChange = object(
  "PetChange",
  { ...line, patch: PetPatch },
  { examples: [{ id: 10, patch: { status: "sold" } }], ...noOthers },
)
export type PetChange = Static<typeof PetChange>

const PetDeletion = object("PetDeletion", line, { examples: [{ id: 10 }], ...noOthers })
export type PetDeletion = Static<typeof PetDeletion>

const ETag = Type.String({ description: "The ETag of the pet after the change", examples: [etag] })
const { id, problem } = PetResult.properties
const PetChangeResult = object(
  "PetChangeResult",
  { id, etag: Type.Optional(ETag), problem },
  { examples: [{ id: 10, etag }] },
)

const linesMax = 500
const batch = endpointsWith({
  tag: "pet",
  scope: "write:pets",
  itemwise: true,
  itemProblems: ["pet-not-found", "pet-has-open-order", "precondition-failed"],
  consumes: [jsonType, ndjsonType],
  bodyBytesMax: importBytesMax,
  idempotent: "by-key",
})

const common =
  "in one transaction; the results are in the order of the lines. A refused line does not undo the others. Each line counts " +
  "against the plan as a request, and those beyond it are refused with `quota-exceeded`."

export const petBatches = {
  patchPets: batch("PATCH", "/pets", {
    summary: "Change up to 500 pets",
    description: `Applies each \`patch\` as \`PATCH /pet/{petId}\` does, ${common} Several lines for one pet apply in their order.`,
    command: "pets patch-batch",
    body: Type.Array(PetChange, { minItems: 1, maxItems: linesMax }),
    response: Type.Array(PetChangeResult, { maxItems: linesMax }),
  }),

  deletePets: batch("DELETE", "/pets", {
    summary: "Delete up to 500 pets",
    description: `Deletes each pet as \`DELETE /pet/{petId}\` does, ${common} A pet with an open order stays.`,
    command: "pets delete-batch",
    body: Type.Array(PetDeletion, { minItems: 1, maxItems: linesMax }),
    response: Type.Array(PetResult, { maxItems: linesMax }),
  }),
}
