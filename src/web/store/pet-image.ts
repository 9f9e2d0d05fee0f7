import { type ImagePart, imageHashIn, imagePath } from "../../domain/images/contract.ts"
import type { Pet } from "../../domain/pets/contract.ts"
import { portraitOf } from "../animals.ts"
import { html, type Markup } from "../html.ts"

/** The addresses of a pet's images that this service has, from the site's root. Others are not shown: nothing is loaded from elsewhere. */
export const imagesOf = ({ photoUrls }: Pick<Pet, "photoUrls">, part: ImagePart): string[] =>
  photoUrls.flatMap((url) => {
    const hash = imageHashIn(url)
    return hash === undefined ? [] : [imagePath(hash, part).slice(1)]
  })

/** The first image of a pet, or a drawing in its place; the name stands beside it. */
export function imageOf(pet: Pet, root: "." | "..", part: ImagePart): Markup {
  const [first] = imagesOf(pet, part)
  if (first === undefined) return html`<span class="image drawn">${portraitOf(pet.category?.name)}</span>`
  return html`<img class="image" src="${root}/${first}" alt="" width="320" height="320">`
}
