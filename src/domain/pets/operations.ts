import type { Operations } from "../context.ts"
import type { pets } from "./contract.ts"
import { createPet } from "./create.ts"
import { findPetsByStatus, findPetsByTags } from "./list.ts"
import { patchPet } from "./patch.ts"
import { getPetById } from "./read.ts"
import { deletePet } from "./remove.ts"
import { replacePet } from "./replace.ts"
import { updatePetWithForm } from "./update-with-form.ts"

export const petOperations: Operations<typeof pets> = {
  createPet,
  replacePet,
  findPetsByStatus,
  findPetsByTags,
  getPetById,
  patchPet,
  updatePetWithForm,
  deletePet,
}
