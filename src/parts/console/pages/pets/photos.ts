import { imagePath } from "../../../../core/domain/images/contract.ts"
import { html } from "../../../site/pages/html.ts"
import { actionButton } from "../../../site/pages/parts/action-button.ts"
import { fileForm } from "../../../site/pages/parts/file-form.ts"
import { heading } from "../../../site/pages/parts/heading.ts"
import type { ConsolePage, Visit } from "../page.ts"
import { apiRequest } from "../parts/api-request.ts"

export const photosPage: ConsolePage = {
  path: "/pets/:petId/photos",
  title: "Photos",
  scope: "write:pets",
  takesFile: true,
  async show(visit) {
    const params = { petId: idOf(visit) }
    const [{ value: pet }, images] = await Promise.all([
      visit.call.getPetById({ params }),
      visit.call.listPetImages({ params }),
    ])
    const back = { to: `/pets/${pet.id}`, label: pet.name }
    return html`${heading(visit, { back, title: `Photos of ${pet.name}` })}
${images.value.length === 0 && html`<p class="empty">There are no photos yet.</p>`}
<ul class="photos">${images.value.map(
      ({ sha256, description, width, height }) => html`<li>
<img src="${visit.root}/..${imagePath(sha256, "320")}" alt="${description ?? `A photo of ${pet.name}`}" loading="lazy">
<p class="soft">${width} × ${height}</p>
${actionButton(visit, { action: "remove", label: "Remove this photo", variant: "quiet small", fields: { sha256 } })}</li>`,
    )}
</ul>
<h2>Add a photo</h2>
${fileForm(visit, {
  action: "upload",
  accept: "image/jpeg,image/png,image/webp,image/gif,image/avif",
  label: "Photo",
  hint: "JPEG, PNG, WebP, GIF or AVIF of at most 10 MiB. Metadata, such as the location, is removed.",
  button: "Upload",
  fields: html`<label for="additionalMetadata">Description</label>
<input id="additionalMetadata" name="additionalMetadata" maxlength="1000">`,
})}
${apiRequest(visit, images)}`
  },
  actions: {
    async upload(visit) {
      await visit.call.uploadFile({ params: { petId: idOf(visit) } })
      return { to: `/pets/${idOf(visit)}/photos`, notice: "The photo was added" }
    },
    async remove(visit, form) {
      await visit.call.deletePetImage({ params: { petId: idOf(visit), sha256: form.get("sha256") ?? "" } })
      return { to: `/pets/${idOf(visit)}/photos`, notice: "The photo was removed" }
    },
  },
}

const idOf = ({ params }: Visit): number => Number(params.petId)
