import type { Static } from "typebox"
import { Id, object } from "../../../kernel/schema/schema.ts"
import { Type } from "../../../kernel/schema/type.ts"

const PetViolation = object("PetViolation", {
  pointer: Type.String({ examples: ["/name"] }),
  code: Type.String({ examples: ["required"] }),
  detail: Type.String({ examples: ["is required"] }),
})

const PetRefusal = object("PetRefusal", {
  code: Type.String({
    description: "The code of the problem that `POST /pet` would respond with",
    examples: ["invalid-body"],
  }),
  detail: Type.String({ examples: ["name is required"] }),
  errors: Type.Optional(Type.Array(PetViolation)),
})

/** The id of the pet, or why its item was refused; pointers begin at the item. */
export const PetResult = object(
  "PetResult",
  { id: Type.Optional(Id), problem: Type.Optional(PetRefusal) },
  { examples: [{ id: 10 }] },
)
export type PetResult = Static<typeof PetResult>
