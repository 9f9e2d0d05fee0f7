import { petSearch } from "../../../../core/domain/pets/search/contract.ts"
import { asChoices } from "../../../site/pages/parts/search-form.ts"

export const petFilters = [
  { kind: "text", name: "name", label: "Name begins with", maxLength: 255, excludes: ["category", "tag"] },
  {
    kind: "choice",
    name: "status",
    label: "Status",
    choices: asChoices(petSearch.listPets.query.properties.status.items.enum),
  },
  { kind: "text", name: "category", label: "Category", maxLength: 255 },
  { kind: "text", name: "tag", label: "Tag", maxLength: 255 },
] as const

export const petFilterNames = petFilters.map(({ name }) => name)
