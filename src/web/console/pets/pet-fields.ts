import { PetDraft } from "../../../domain/pets/contract.ts"
import { fieldsOf } from "../../parts/fields.ts"

export const petFields = fieldsOf(PetDraft, {
  name: { label: "Name" },
  category: { label: "Category" },
  status: { label: "Status" },
  tags: { label: "Tags", hint: "One a line." },
  photoUrls: { label: "Photo URLs", hint: "One a line. Photos can be uploaded once the pet is there." },
})
