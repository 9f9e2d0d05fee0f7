import { PetStatus } from "../../../domain/pets/contract.ts"
import { html, type Markup } from "../html.ts"
import { alarm } from "../parts/notice.ts"
import { type Control, searchForm } from "../parts/search-form.ts"
import type { ListView, SearchField } from "./views.ts"

/** One form for each field that `GET /pet` searches by: it accepts only one of them, and `sort` depends on it. */
export function filters(view: ListView): Markup {
  const { filter, by, refusal } = view
  const statuses = Object.fromEntries(PetStatus.enum.map((each) => [each, capital(each)]))
  const context = { root: ".", path: "/", query: new URLSearchParams(filter) }
  return html`<nav class="by" id="by" aria-label="Search by">${Object.keys(tabs).map((each) => tab(each as SearchField, view))}</nav>
${searchForm(context, [fieldOf(view), { kind: "choice", name: "status", label: "Status", choices: statuses }, orders[by]])}
${refusal !== undefined && alarm(refusal)}`
}

const tabs: Record<SearchField, string> = { name: "By name", category: "By category", tag: "By tag" }

function tab(field: SearchField, { filter: { status }, by }: ListView): Markup {
  const query = new URLSearchParams({ ...(field !== "name" && { [field]: "" }), ...(status && { status }) })
  return html`<a href="./?${query.toString()}#by"${field === by && html` aria-current="true"`}>${tabs[field]}</a>`
}

function fieldOf({ by, pets }: ListView): Control {
  if (by === "name") return { kind: "text", name: by, label: "Name begins with", maxLength: 255 }
  const suggestions = pets.flatMap(({ category, tags }) => (by === "tag" ? tags : category ? [category] : []))
  const names = suggestions.map(({ name }) => name)
  return { kind: "text", name: by, label: capital(by), maxLength: 100, suggestions: names }
}

const byAge: Control = {
  kind: "choice",
  name: "sort",
  label: "Sort by",
  choices: { id: "Oldest first" },
  none: "Newest first",
}

const orders: Record<SearchField, Control> = {
  name: { ...byAge, choices: { name: "Name, A to Z", "-name": "Name, Z to A" }, none: "Default" },
  category: byAge,
  tag: byAge,
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
