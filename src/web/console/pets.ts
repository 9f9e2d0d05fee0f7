import type { Pet } from "../../domain/pets/contract.ts"
import { html, type Markup } from "../html.ts"
import { badge } from "../parts/badge.ts"
import { pager } from "../parts/pager.ts"
import { searchForm } from "../parts/search-form.ts"
import { table } from "../parts/table.ts"
import { showFound } from "./find.ts"
import type { ConsolePage, Visit } from "./page.ts"
import { petFilterNames, petFilters } from "./pet-filters.ts"
import { petPicture } from "./pet-picture.ts"

const filters = [...petFilterNames, "sort"]
const sorts: Record<string, string> = {
  "-id": "Newest first",
  id: "Oldest first",
  name: "Name A–Z",
  "-name": "Name Z–A",
}

/** The pets, searched, filtered and sorted as `GET /pet` does it. */
export const petsPage: ConsolePage = {
  path: "/pets",
  title: "Pets",
  nav: "Pets",
  scope: "read:pets",
  async show(visit) {
    const { call, query } = visit
    const list = await showFound(
      query,
      filters,
      (asked) => call.listPets({ query: asked }),
      ({ value, next }) => html`${pets(visit, value)}${pager(visit, next)}`,
    )
    return html`<div class="heading"><h1>Pets</h1>
<p class="actions">${writing(visit)}<a class="quiet" href="${visit.root}/pets/export${filtersIn(query)}">Export</a></p></div>
${searchForm(visit, controls)}
${list}`
  },
}

const writing = ({ root, scopes }: Visit) =>
  scopes.has("write:pets") &&
  html`<a href="${root}/pets/new">Add a pet</a> <a class="quiet" href="${root}/pets/import">Import</a> `

/** What the list is narrowed down by, for another page. */
function filtersIn(query: URLSearchParams): string {
  const kept = [...query].filter(([name, value]) => value !== "" && !["sort", "cursor"].includes(name))
  return kept.length > 0 ? `?${new URLSearchParams(kept)}` : ""
}

const controls = [
  ...petFilters,
  { kind: "choice", name: "sort", label: "Sorted", choices: sorts, none: "As usual" },
] as const

const pets = (visit: Visit, rows: Pet[]): Markup =>
  table({
    caption: "Pets",
    columns: [
      { title: "Picture", cell: (pet) => petPicture(visit.root, pet) },
      { title: "Name", cell: (pet) => html`<a href="${visit.root}/pets/${pet.id}">${pet.name}</a>` },
      { title: "Status", cell: ({ status }) => badge(status) },
      { title: "Category", cell: ({ category }) => category?.name ?? "", isMinor: true },
      { title: "Tags", cell: ({ tags }) => tags.map(({ name }) => name).join(", "), isMinor: true },
      { title: "Id", cell: ({ id }) => id, isNumber: true, isMinor: true },
    ],
    rows,
    empty: "No pet is like this.",
  })
