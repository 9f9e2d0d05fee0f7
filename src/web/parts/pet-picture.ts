import { type ImagePart, imageHashIn, imagePath } from "../../domain/images/contract.ts"
import type { Pet } from "../../domain/pets/contract.ts"
import { portraitOf } from "../animals.ts"
import { html, type Markup } from "../html.ts"

/** Paths of a pet's images relative to the site's root. Images of other origins are omitted, because pages load nothing from there. */
export const imagesOf = ({ photoUrls }: Pick<Pet, "photoUrls">, part: ImagePart): string[] =>
  photoUrls.flatMap((url) => {
    const hash = imageHashIn(url)
    return hash === undefined ? [] : [imagePath(hash, part).slice(1)]
  })

type Look = {
  /** Relative path to the site's root. */
  root: string
  part?: ImagePart
  className?: string
  sizePx?: number
}

/** The first image of a pet, or a drawing of its category. Its `alt` is empty because the name is next to it. */
export function petPicture(
  pet: Pick<Pet, "photoUrls" | "category">,
  { root, part = "320", className = "picture", sizePx = 48 }: Look,
): Markup {
  const [first] = imagesOf(pet, part)
  if (first === undefined) return html`<span class="${className} drawn">${portraitOf(pet.category?.name)}</span>`
  return html`<img class="${className}" src="${root}/${first}" alt="" width="${sizePx}" height="${sizePx}" loading="lazy">`
}
