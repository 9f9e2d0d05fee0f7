import { html } from "../../html.ts"
import { badge } from "../../parts/badge.ts"
import { petPicture } from "../../parts/pet-picture.ts"
import { tablePage } from "../list-page.ts"
import { petFilters } from "./pet-filters.ts"

const sorts: Record<string, string> = {
  "-id": "Newest first",
  id: "Oldest first",
  name: "Name A–Z",
  "-name": "Name Z–A",
}

export const petsPage = tablePage({
  path: "/pets",
  title: "Pets",
  scope: "read:pets",
  heading: ({ root, scopes, query }) => ({
    links: html`${
      scopes.has("write:pets") &&
      html`<a href="${root}/pets/new">Add a pet</a> <a class="quiet" href="${root}/pets/import">Import</a> `
    }<a class="quiet" href="${root}/pets/export${filtersIn(query)}">Export</a>`,
  }),
  controls: [...petFilters, { kind: "choice", name: "sort", label: "Sort by", choices: sorts, none: "Default" }],
  find: ({ call }, query) => call.listPets({ query }),
  columns: ({ root }) => [
    { title: "Picture", cell: (pet) => petPicture(pet, { root: `${root}/..` }) },
    { title: "Name", cell: ({ id, name }) => html`<a href="${root}/pets/${id}">${name}</a>` },
    { title: "Status", cell: ({ status }) => badge(status) },
    { title: "Category", cell: ({ category }) => category?.name ?? "", isMinor: true },
    { title: "Tags", cell: ({ tags }) => tags.map(({ name }) => name).join(", "), isMinor: true },
    { title: "Id", cell: ({ id }) => id, isNumber: true, isMinor: true },
  ],
  empty: () => "No pets match.",
})

function filtersIn(query: URLSearchParams): string {
  const filters = [...query].filter(([name, value]) => value !== "" && !["sort", "cursor"].includes(name))
  return filters.length > 0 ? `?${new URLSearchParams(filters)}` : ""
}
