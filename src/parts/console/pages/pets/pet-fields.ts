import { PetDraft } from "../../../../core/domain/pets/contract.ts"
import { fieldsOf } from "../parts/fields.ts"

export const petFields = fieldsOf(PetDraft, {
  id: { hidden: "the service chooses it, and it never changes" },
  name: { label: "Name" },
  category: { label: "Category" },
  status: { label: "Status" },
  tags: { label: "Tags", hint: "One per line." },
  photoUrls: { label: "Photo URLs", hint: "One per line. You can upload photos after the pet was added." },
})
