import { Type } from "typebox"
import { Id, named } from "../../kernel/schema.ts"
import { Order } from "../orders/contract.ts"
import { PetStatus } from "../pets/contract.ts"

const PetEventData = named(
  "PetEventData",
  Type.Object(
    { id: Id, name: Type.String(), status: PetStatus },
    { examples: [{ id: 10, name: "doggie", status: "available" }] },
  ),
)

/** The kinds of events and the schema of each one's `data`. */
export const eventKinds = {
  "pet.created": { summary: "A pet was added", data: PetEventData },
  "pet.updated": { summary: "A pet was changed", data: PetEventData },
  "pet.deleted": { summary: "A pet was deleted", data: PetEventData },
  "order.placed": { summary: "A pet was ordered", data: Order },
  "order.approved": { summary: "An order was approved", data: Order },
  "order.delivered": { summary: "An order was delivered", data: Order },
  "order.cancelled": { summary: "An order was cancelled before it was delivered", data: Order },
} as const

export type EventKind = keyof typeof eventKinds
