import { type Pet, PetStatus } from "../../../../core/domain/pets/contract.ts"
import { counted } from "../../../../core/kernel/counted.ts"
import { html } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { petPicture } from "../../../site/pages/parts/pet-picture.ts"
import { calledUnless } from "../../../site/serving/call.ts"
import { type ListQuery, type ListResult, tablePage } from "../list-page.ts"
import type { Visit } from "../page.ts"
import { petBulkActions, petBulkControls, petDeletion } from "./pet-bulk.ts"
import { petFilterNames, petFilters } from "./pet-filters.ts"

const sorts: Record<string, string> = {
  "-id": "Newest first",
  id: "Oldest first",
  name: "Name A–Z",
  "-name": "Name Z–A",
}

/** `etag` is absent when the user may not change pets. */
type Row = Pet & { etag?: string | undefined }

export const petsPage = tablePage<Row>({
  path: "/pets",
  title: "Pets",
  scope: "read:pets",
  asks: { delete: petDeletion },
  heading: ({ root, scopes, query }) => ({
    links: html`${
      scopes.has("write:pets") &&
      html`<a href="${root}/pets/new">Add a pet</a> <a class="quiet" href="${root}/pets/import">Import</a> `
    }<a class="quiet" href="${root}/pets/export${filtersIn(query)}">Export</a>`,
  }),
  intro: countPets,
  controls: [...petFilters, { kind: "choice", name: "sort", label: "Sort by", choices: sorts, none: "Default" }],
  find: listPets,
  columns: ({ root }) => [
    { title: "Picture", kind: "picture", cell: (pet) => petPicture(pet, { root: `${root}/..` }) },
    {
      title: "Name",
      kind: "name",
      isHead: true,
      cell: ({ id, name }) => html`<a href="${root}/pets/${id}">${name}</a>`,
    },
    { title: "Status", kind: "badge", cell: ({ status }) => badge(status) },
    { title: "Category", kind: "name", cell: ({ category }) => category?.name ?? "" },
    { title: "Tags", kind: "text", cell: ({ tags }) => tags.map(({ name }) => name).join(", ") },
    { title: "Id", kind: "id", cell: ({ id }) => id },
  ],
  bulk: ({ scopes }) =>
    scopes.has("write:pets")
      ? { itemOf: (pet) => pet, nameOf: ({ name }) => name, controls: petBulkControls }
      : undefined,
  actions: petBulkActions,
  isCompact: true,
  empty: () => "No pets match.",
})

/** Reads each pet again for its ETag, which a list does not contain, and shows the version that has it. */
async function listPets({ call, scopes }: Visit, query: ListQuery): Promise<ListResult<Row>> {
  const { value: pets, next, request } = await call.listPets({ query })
  if (!scopes.has("write:pets")) return { value: pets, next, request }
  const read = await Promise.all(
    pets.map(({ id }) => calledUnless(["pet-not-found"], call.getPetById({ params: { petId: id } }))),
  )
  return { value: read.flatMap((each) => (each ? [{ ...each.value, etag: each.etag }] : [])), next, request }
}

/** The number of all pets, or of those with the status, which the inventory stores; the other filters are not counted. */
async function countPets({ call, scopes, query }: Visit) {
  if (!scopes.has("read:orders") || ["name", "category", "tag"].some((name) => query.get(name))) return undefined
  const { value: inventory } = await call.getInventory()
  const wanted = PetStatus.enum.filter((status) => [null, "", status].includes(query.get("status")))
  const count = wanted.reduce((sum, status) => sum + inventory[status], 0)
  return html`<p class="soft">${counted(count, "pet")}</p>`
}

function filtersIn(query: URLSearchParams): string {
  const filters = petFilterNames.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? ""]] : []))
  return filters.length > 0 ? `?${new URLSearchParams(filters)}` : ""
}
