import { PetStatus } from "../../domain/pets/contract.ts"
import { html, type Markup } from "../html.ts"
import { alarm } from "../parts/notice.ts"
import type { ListView, Wanted } from "./views.ts"

const orders = { "-id": "Newest", id: "Oldest", name: "Name, A to Z", "-name": "Name, Z to A" }

/** A plain form of the parameters of `GET /pet`. */
export function filters({ wanted, pets, refusal }: ListView): Markup {
  const categories = pets.flatMap(({ category }) => (category ? [category.name] : []))
  const tags = pets.flatMap((pet) => pet.tags.map(({ name }) => name))
  return html`
<form class="filters" role="search" aria-label="Pets" action="./" method="get">
${field("Name", "name", 255, wanted)}
${field("Category", "category", 100, wanted, categories)}
${field("Tag", "tag", 100, wanted, tags)}
${choice("Status", "status", { "": "Any", ...Object.fromEntries(PetStatus.enum.map((each) => [each, capital(each)])) }, wanted)}
${choice("Order", "sort", { "": "Usual", ...orders }, wanted)}
<button>Search</button>
</form>
${refusal !== undefined && alarm(refusal)}`
}

type Name = keyof Wanted

const field = (
  label: string,
  name: Name,
  length: number,
  wanted: Wanted,
  known: readonly string[] = [],
): Markup => html`
<div><label for="by-${name}">${label}</label><input id="by-${name}" name="${name}" maxlength="${length}" value="${wanted[name]}"${
  known.length > 0 && html` list="known-${name}"`
} autocomplete="off">${
  known.length > 0 &&
  html`<datalist id="known-${name}">${[...new Set(known)].sort().map((each) => html`<option value="${each}">`)}</datalist>`
}</div>`

const choice = (label: string, name: Name, options: Record<string, string>, wanted: Wanted): Markup => html`
<div><label for="by-${name}">${label}</label><select id="by-${name}" name="${name}">${Object.entries(options).map(
  ([value, words]) =>
    html`<option value="${value}"${(wanted[name] ?? "") === value && html` selected`}>${words}</option>`,
)}</select></div>`

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
