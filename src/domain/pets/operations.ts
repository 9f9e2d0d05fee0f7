import type { Operations } from "../context.ts"
import type { pets } from "./contract.ts"
import { addPet } from "./create.ts"
import { findPetsByStatus, findPetsByTags } from "./list.ts"
import { patchPet } from "./patch.ts"
import { getPetById } from "./read.ts"
import { deletePet } from "./remove.ts"
import { updatePet } from "./replace.ts"
import { updatePetWithForm } from "./update-with-form.ts"

export const petOperations: Operations<typeof pets> = {
  addPet,
  updatePet,
  findPetsByStatus,
  findPetsByTags,
  getPetById,
  patchPet,
  updatePetWithForm,
  deletePet,
}
