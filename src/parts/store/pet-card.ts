import type { Pet } from "../../core/domain/pets/contract.ts"
import { html, type Markup } from "../site/pages/html.ts"
import { petPicture } from "../site/pages/parts/pet-picture.ts"

export const shownLarge = { className: "image", sizePx: 320 }

export const petCard = (pet: Pet): Markup => html`
<li data-pet="${pet.id}"><a href="./pets/${pet.id}">${petPicture(pet, { root: ".", ...shownLarge })}<strong title="${pet.name}">${pet.name}</strong></a>
<p>${statusOf(pet)}</p><p><span>#${pet.id}${pet.category && html` · ${labelLink(".", "category", pet.category.name)}`}</span></p></li>`

/** Leads to the pets with this category or tag. */
export const labelLink = (root: string, kind: "category" | "tag", name: string): Markup =>
  html`<a href="${root}/?${new URLSearchParams({ [kind]: name }).toString()}">${name}</a>`

/** The page's script updates it. */
export const statusOf = ({ status }: Pick<Pet, "status">): Markup =>
  html`<span class="status ${status}">${status}</span>`
