import { imageHashIn, imagePath } from "../../domain/images/contract.ts"
import type { Pet } from "../../domain/pets/contract.ts"
import { portraitOf } from "../animals.ts"
import { html, type Markup } from "../html.ts"

/** A small picture of a pet: its first photo that is stored here, or a drawing; a page loads nothing from elsewhere. */
export function petPicture(root: string, { photoUrls, category }: Pick<Pet, "photoUrls" | "category">): Markup {
  const sha256 = photoUrls.map(imageHashIn).find((found) => found !== undefined)
  return sha256 === undefined
    ? html`<span class="picture">${portraitOf(category?.name)}</span>`
    : html`<img class="picture" src="${root}/..${imagePath(sha256, "320")}" alt="" width="48" height="48" loading="lazy">`
}
