import { type ImagePart, imageHashIn, imagePath } from "../../../../core/domain/images/contract.ts"
import type { Pet } from "../../../../core/domain/pets/contract.ts"
import { drawingOf } from "../drawings.ts"
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

/** The first image of a pet, or its drawing. `alt` is empty because the name is next to it. */
export function petPicture(
  pet: Pick<Pet, "id" | "photoUrls" | "category">,
  { root, part = "320", className = "picture", sizePx = 48 }: Look,
): Markup {
  const [path = `assets/${drawingOf(pet).name}`] = imagesOf(pet, part)
  return html`<img class="${className}" src="${root}/${path}" alt="" width="${sizePx}" height="${sizePx}" loading="lazy">`
}
