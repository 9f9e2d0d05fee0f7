import { PetStatus } from "../../domain/pets/contract.ts"
import { html, type Markup } from "../html.ts"
import { alarm } from "../parts/notice.ts"
import { searchForm } from "../parts/search-form.ts"
import type { ListView } from "./views.ts"

const orders = { "-id": "Newest first", id: "Oldest first", name: "Name, A to Z", "-name": "Name, Z to A" }

export function filters({ filter, pets, refusal }: ListView): Markup {
  const categories = pets.flatMap(({ category }) => (category ? [category.name] : []))
  const tags = pets.flatMap((pet) => pet.tags.map(({ name }) => name))
  const statuses = Object.fromEntries(PetStatus.enum.map((each) => [each, capital(each)]))
  const place = { root: ".", path: "/", query: new URLSearchParams(filter) }
  return html`${searchForm(place, [
    { kind: "text", name: "name", label: "Name", maxLength: 255 },
    { kind: "text", name: "category", label: "Category", maxLength: 100, suggestions: categories },
    { kind: "text", name: "tag", label: "Tag", maxLength: 100, suggestions: tags },
    { kind: "choice", name: "status", label: "Status", choices: statuses },
    { kind: "choice", name: "sort", label: "Sort by", choices: orders, none: "Default" },
  ])}
${refusal !== undefined && alarm(refusal)}`
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
