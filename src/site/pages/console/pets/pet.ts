import { type Pet, pets } from "../../../../domain/pets/contract.ts"
import type { PetRecord } from "../../../../domain/pets/records/contract.ts"
import { html, type Markup } from "../../html.ts"
import { apiRequest } from "../../parts/api-request.ts"
import { badge } from "../../parts/badge.ts"
import { confirm } from "../../parts/confirm.ts"
import { heading } from "../../parts/heading.ts"
import { petPicture } from "../../parts/pet-picture.ts"
import { timeWithAge } from "../../parts/time.ts"
import { formOf } from "../form.ts"
import { type ConsolePage, type Visit, withPassword } from "../page.ts"
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
    const { value: record } = await visit.call.getPetRecord({ params: { petId: pet.id } })
    return html`${heading(visit, {
      picture: petPicture(pet, { root: `${visit.root}/..` }),
      title: pet.name,
      links: html`${orderLink(visit, pet)}
${visit.service.hasPublicStore && html`<a class="quiet" href="${visit.root}/../pets/${pet.id}">View in store</a>`}
${visit.scopes.has("write:pets") && html`<a class="quiet" href="${visit.root}/pets/${pet.id}/photos">Photos</a>`}`,
    })}
${visit.scopes.has("write:pets") ? editor(visit, pet, etag) : facts(pet)}
${times(visit, record)}
${await petHistory(visit, pet.id)}
${visit.scopes.has("write:pets") && deletion(visit, pet)}
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
  return form.render(visit, { button: "Save", values: pet, before })
}

const deletion = (visit: Visit, { name }: Pet): Markup =>
  confirm(visit, {
    summary: "Delete this pet…",
    warning: `${name} and its photos are permanently deleted.`,
    action: "delete",
    label: `Delete ${name}`,
  })

const facts = ({ id, category, tags, status }: Pet): Markup => html`<dl class="record">
<dt>Id</dt><dd>${id}</dd>
<dt>Status</dt><dd>${badge(status)}</dd>
<dt>Category</dt><dd>${category?.name ?? "none"}</dd>
<dt>Tags</dt><dd>${tags.map(({ name }) => name).join(", ") || "none"}</dd>
</dl>`

const times = (visit: Visit, { createdAt, updatedAt }: PetRecord): Markup => html`<dl class="record">
<dt>Added</dt><dd>${timeWithAge(visit, createdAt, "before times were recorded")}</dd>
<dt>Changed</dt><dd>${timeWithAge(visit, updatedAt, "not since times are recorded")}</dd>
</dl>`
