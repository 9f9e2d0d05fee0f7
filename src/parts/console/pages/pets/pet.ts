import { type Pet, pets } from "../../../../core/domain/pets/contract.ts"
import type { PetRecord } from "../../../../core/domain/pets/records/contract.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { confirm } from "../../../site/pages/parts/confirm.ts"
import { detail, type Fact, facts } from "../../../site/pages/parts/detail.ts"
import { type EveryMember, shownMembers } from "../../../site/pages/parts/every-member.ts"
import { heading } from "../../../site/pages/parts/heading.ts"
import { petPicture } from "../../../site/pages/parts/pet-picture.ts"
import { timeWithAge } from "../../../site/pages/parts/time.ts"
import { formOf } from "../form.ts"
import { type ConsolePage, type Visit, withPassword } from "../page.ts"
import { apiRequest } from "../parts/api-request.ts"
import { petFields } from "./pet-fields.ts"
import { petHistory } from "./pet-history.ts"

const form = formOf({
  action: "save",
  fields: petFields.patching(pets.patchPet.body),
  async submit(visit, body, form) {
    const params = { petId: idOf(visit) }
    // The ETag of the displayed version, so that concurrent changes are not overwritten.
    const { value: pet } = await visit.call.patchPet({ params, body, ifMatch: form.get("etag") ?? "" })
    return { to: `/pets/${pet.id}`, notice: `${pet.name} was saved` }
  },
})

export const petPage: ConsolePage = {
  path: "/pets/:petId",
  title: "Pet",
  scope: "read:pets",
  asks: { delete: withPassword("Delete the pet") },
  async show(visit) {
    const called = await visit.call.getPetById({ params: { petId: idOf(visit) } })
    const { value: pet, etag } = called
    const mayChange = visit.scopes.has("write:pets")
    const { value: record } = await visit.call.getPetRecord({ params: { petId: pet.id } })
    return html`${heading(visit, {
      title: pet.name,
      badge: badge(pet.status),
      links: html`${orderLink(visit, pet)}
${visit.service.site.has("/") && html`<a class="quiet" href="${visit.root}/../pets/${pet.id}">View in store</a>`}
${mayChange && html`<a class="quiet" href="#edit">Edit</a> <a class="quiet" href="${visit.root}/pets/${pet.id}/photos">Photos</a>`}`,
    })}
${detail(
  html`${petFacts(visit, record)}
${mayChange && editor(visit, pet, etag)}
${mayChange && deletion(visit, pet)}`,
  await petHistory(visit, pet.id),
)}
${apiRequest(visit, called)}`
  },
  actions: {
    ...form.actions,
    async delete(visit) {
      await visit.call.deletePet({ params: { petId: idOf(visit) } })
      return { to: "/pets", notice: "The pet was deleted" }
    },
  },
}

const idOf = ({ params }: Visit): number => Number(params.petId)

const orderLink = ({ root, scopes }: Visit, { id, status }: Pet) =>
  status === "available" && scopes.has("write:orders") && html`<a href="${root}/orders/new?petId=${id}">Order</a>`

function editor(visit: Visit, pet: Pet, etag: string | undefined): Markup {
  // After a conflict the form keeps the ETag of the version that the user has seen, until they reload the page.
  const seen = visit.failure?.form.get("etag") ?? etag ?? ""
  const before = html`<input type="hidden" name="etag" value="${seen}">`
  return form.render(visit, { button: "Save", values: pet, before, folded: "Edit", id: "edit" })
}

const deletion = (visit: Visit, { name }: Pet): Markup =>
  confirm(visit, {
    summary: "Delete this pet…",
    warning: `${name} and its photos are permanently deleted.`,
    action: "delete",
    label: `Delete ${name}`,
  })

const petFacts = (visit: Visit, pet: PetRecord): Markup => {
  const members: EveryMember<PetRecord, { term: string; fact: Fact }> = {
    id: { term: "Id", fact: pet.id },
    name: { hidden: "the heading" },
    status: { hidden: "the badge of the heading" },
    category: { term: "Category", fact: pet.category && petsWith(visit, "category", pet.category.name) },
    tags: {
      term: "Tags",
      fact:
        pet.tags.length === 0
          ? undefined
          : html`${pet.tags.map(({ name }, n) => html`${n > 0 && ", "}${petsWith(visit, "tag", name)}`)}`,
    },
    photoUrls: {
      term: "Photo URLs",
      fact: pet.photoUrls.length === 0 ? undefined : html`${pet.photoUrls.map((url) => html`<code>${url}</code> `)}`,
    },
    createdAt: { term: "Added", fact: timeWithAge(visit, pet.createdAt, "before times were recorded") },
    updatedAt: { term: "Changed", fact: timeWithAge(visit, pet.updatedAt, "not since times are recorded") },
  }
  return facts(
    Object.fromEntries(shownMembers(members).map(([, { term, fact }]) => [term, fact])),
    petPicture(pet, { root: `${visit.root}/..`, sizePx: 240 }),
  )
}

const petsWith = ({ root }: Visit, parameter: "category" | "tag", name: string): Markup =>
  html`<a href="${root}/pets?${`${new URLSearchParams({ [parameter]: name })}`}">${name}</a>`
