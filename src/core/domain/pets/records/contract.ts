import type { Static } from "typebox"
import { object, time } from "../../../kernel/schema/schema.ts"
import { Type } from "../../../kernel/schema/type.ts"
import { endpointsWith } from "../../endpoint.ts"
import { Pet } from "../contract.ts"
import { petSearch } from "../search/contract.ts"

const [created, updated] = ["2026-01-02T15:04:05.000Z", "2026-01-03T10:00:00.000Z"]

/** Not members of a pet, which has exactly those of the classic one. */
export const petTimes = {
  createdAt: Type.Optional(time("When the pet was added; absent if that was before times were recorded", [created])),
  updatedAt: Type.Optional(time("When the pet was last changed, otherwise when it was added", [updated])),
}

export const PetRecord = object(
  "PetRecord",
  { ...Pet.properties, ...petTimes },
  { examples: [{ ...(Pet as { examples?: object[] }).examples?.[0], createdAt: created, updatedAt: updated }] },
)
export type PetRecord = Static<typeof PetRecord>

const reading = endpointsWith({ tag: "pet", scope: "read:pets" })

export const petRecords = {
  listPetRecords: reading("GET", "/pets", {
    summary: "List pets with the times of their changes",
    description: "As `GET /pet`, whose pets have the members of the classic Petstore only; exports are made of it.",
    command: "pets list-records",
    query: petSearch.listPets.query,
    response: Type.Array(PetRecord, { maxItems: 1000 }),
    paged: true,
    counted: true,
    sorts: petSearch.listPets.sorts,
  }),

  getPetRecord: reading("GET", "/pets/{petId}", {
    summary: "Find a pet with the times of its changes",
    command: "pets get-record",
    response: PetRecord,
    problems: ["pet-not-found"],
  }),
}
