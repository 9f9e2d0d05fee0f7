import { PetStatus } from "../../core/domain/pets/contract.ts"
import { counted } from "../../core/kernel/counted.ts"
import { html, type Markup } from "../site/pages/html.ts"
import { alarm } from "../site/pages/parts/notice.ts"
import type { ListView, StoreQuery } from "./views.ts"

type Name = keyof StoreQuery

/** Categories and tags of the page that are offered as chips. */
const chipsMax = 4

/** What the list is filtered by: the name in a field, the rest as chips, which combine as the parameters of `GET /pet` do. */
export const filters = (view: ListView): Markup => html`<form class="search" role="search" method="get" action="./">
${view.filter.status && html`<input type="hidden" name="status" value="${view.filter.status}">`}
<input type="search" name="name" value="${view.filter.name ?? ""}" maxlength="255" placeholder="Search by name…" aria-label="Name begins with">
<button class="quiet">Search</button>
</form>
${view.refusal !== undefined && alarm(view.refusal)}
<nav class="chips" aria-label="Filters">
${PetStatus.enum.map((status) => chip(view, "status", status))}
<span class="gap"></span>
${namesOf(view, "category").map((name) => chip(view, "category", name))}
<span class="gap"></span>
${namesOf(view, "tag").map((name) => chip(view, "tag", name))}
</nav>
<p class="found"><span>${foundText(view)}</span> <span class="sorts">${sortsOf(view.filter).map(([sort, label]) => sortLink(view, sort, label))}</span></p>`

/** The chosen name, and the most frequent ones of the page; on the front page those that several pets have. */
function namesOf({ filter, pets, isStart }: ListView, kind: "category" | "tag"): string[] {
  const all = pets.flatMap(({ category, tags }) => (kind === "tag" ? tags : category ? [category] : []))
  const counts = Map.groupBy(all, ({ name }) => name)
  const names = [...counts.keys()]
    .filter((name) => !isStart || sizeOf(counts, name) > 1)
    .sort((one, other) => sizeOf(counts, other) - sizeOf(counts, one) || compare(one, other))
  const chosen = filter[kind]
  return [...(chosen ? [chosen] : []), ...names.filter((name) => name !== chosen)].slice(0, chipsMax)
}

const sizeOf = (counts: ReadonlyMap<string, readonly unknown[]>, name: string): number => counts.get(name)?.length ?? 0
const compare = (one: string, other: string): number => (one < other ? -1 : 1)

/** A link that sets the filter, or removes it where it is set. */
function chip({ filter }: ListView, name: Name, value: string): Markup {
  const isSet = filter[name] === value
  return html`<a href="./${queryOf({ ...filter, [name]: isSet ? undefined : value }, name)}"${isSet && html` aria-current="true"`}>${value}${isSet && html`<span class="unseen">, remove this filter</span>`}</a>`
}

/** The address of a list. The name combines with neither category nor tag, so the newly chosen one of them stays. */
function queryOf(filter: Partial<Record<Name, string | undefined>>, chosen: Name): string {
  const isByLabel = chosen === "category" || chosen === "tag"
  const kept = isByLabel ? { ...filter, name: undefined } : filter
  const sorts = sortsOf(kept).map(([sort]) => sort)
  const entries = Object.entries(kept).filter(([name, value]) => value && (name !== "sort" || sorts.includes(value)))
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries as [string, string][])}`
}

const byAge = [
  ["-id", "Newest"],
  ["id", "Oldest"],
] as const
const byName = [
  ["name", "A–Z"],
  ["-name", "Z–A"],
] as const

/** The orders that `GET /pet` has with these filters, the usual one first. */
function sortsOf({ name, category, tag }: Partial<Record<Name, string | undefined>>): (readonly [string, string])[] {
  if (name) return [...byName]
  return category || tag ? [...byAge] : [...byAge, ...byName]
}

function sortLink({ filter }: ListView, sort: string, label: string): Markup {
  const isUsed = (filter.sort ?? sortsOf(filter)[0]?.[0]) === sort
  return html`<a href="./${queryOf({ ...filter, sort }, "sort")}"${isUsed && html` aria-current="true"`}>${label}</a>`
}

/** How many pets there are, and what they have in common. */
function foundText({ filter, total, pets }: ListView): string {
  if (total === undefined) return ""
  const { name, status, category, tag } = filter
  const what = [status, category && `in ${category}`, tag && `tagged ${tag}`, name && `named ${name}…`].filter(Boolean)
  const number = `${total.isExact ? "" : "more than "}${counted(total.count, "pet")}`
  const shown = pets.length < total.count ? `${pets.length} of ${number}` : number
  return [shown, ...what].join(", ")
}
