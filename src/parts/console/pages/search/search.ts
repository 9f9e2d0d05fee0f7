import { html, type Markup } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { petPicture } from "../../../site/pages/parts/pet-picture.ts"
import { table } from "../../../site/pages/parts/table.ts"
import { calledUnless } from "../../../site/serving/call.ts"
import type { ConsoleExtension } from "../../extension.ts"
import { findPet } from "../orders/order-pet.ts"
import type { ConsolePage, Finder, Visit } from "../page.ts"
import { userPath } from "../users/user-record.ts"
import { documents } from "./documents.ts"
import { findEvents } from "./events.ts"
import { namedThings } from "./named-things.ts"

type FurtherFinders = NonNullable<ConsoleExtension["finders"]>

const petsShown = 10

/** Finds what a person may see by what people know of it: looked up in an index, or in one page of a short list. */
export const searchPage = (further: FurtherFinders): ConsolePage => ({
  path: "/search",
  title: "Search",
  scope: "any",
  async show(visit) {
    const text = (visit.query.get("q") ?? "").trim()
    const found =
      text === ""
        ? []
        : await Promise.all([...own, ...further.map(({ find }) => find), ...documents].map((find) => find(visit, text)))
    return html`<h1>${text === "" ? "Search" : html`Results for “${text}”`}</h1>
${found}
${text !== "" && found.every((part) => part === undefined) && html`<p class="empty">Nothing was found. ${advice(visit, further)}</p>`}
${text === "" && html`<p class="soft">${advice(visit, further)}</p>`}`
  },
})

function advice({ mayGo }: Visit, further: FurtherFinders): string {
  const ofStaff = mayGo(userPath("name")) ? ["a username", "an account"] : []
  const ofParts = further.filter(({ page }) => mayGo(page)).map(({ what }) => what)
  const things = [...ofStaff, "a key", "a webhook", "an event", ...ofParts, "an application"]
  return `Search for the id of a pet or an order, the beginning of a pet’s name, ${things.join(", ")}, an operation of the API or the code of an error.`
}

/** The positive integer that a text is, as ids are. */
function idIn(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0
  return id > 0 && Number.isSafeInteger(id) ? id : undefined
}

async function pets(visit: Visit, text: string): Promise<Markup | undefined> {
  const { call, root } = visit
  if (!visit.mayGo("/pets")) return undefined
  const id = idIn(text)
  const [byId, byName] = await Promise.all([
    id === undefined ? undefined : findPet(call, id),
    calledUnless(["invalid-parameter"], call.listPets({ query: { name: text, limit: petsShown } })),
  ])
  const rows = [...(byId ? [byId] : []), ...(byName?.value ?? []).filter((pet) => pet.id !== byId?.id)]
  if (rows.length === 0) return undefined
  const more =
    byName?.next !== undefined &&
    html`<a href="${root}/pets?${`${new URLSearchParams({ name: text })}`}">All pets with this name</a>`
  return html`<div class="heading"><h2>Pets</h2>${more}</div>
${table({
  caption: "Pets found",
  columns: [
    { title: "Picture", kind: "picture", cell: (pet) => petPicture(pet, { root: `${root}/..` }) },
    {
      title: "Name",
      kind: "name",
      isHead: true,
      cell: (pet) => html`<a href="${root}/pets/${pet.id}">${pet.name}</a>`,
    },
    { title: "Status", kind: "badge", cell: ({ status }) => badge(status) },
    { title: "Id", kind: "id", cell: ({ id }) => id },
  ],
  rows,
})}`
}

async function order({ call, root, mayGo }: Visit, text: string): Promise<Markup | undefined> {
  const orderId = idIn(text)
  if (orderId === undefined || !mayGo(`/orders/${orderId}`)) return undefined
  const found = await calledUnless(["order-not-found"], call.getOrderById({ params: { orderId } }))
  if (found === undefined) return undefined
  const { id, petId, status } = found.value
  return html`<h2>Order</h2>
<p><a href="${root}/orders/${id}">Order ${id}</a> of <a href="${root}/pets/${petId}">pet ${petId}</a> ${badge(status)}</p>`
}

async function user({ call, root, mayGo }: Visit, username: string): Promise<Markup | undefined> {
  if (!mayGo(userPath(username))) return undefined
  const params = { username }
  const found = await calledUnless(["user-not-found", "invalid-parameter"], call.getUserByName({ params }))
  if (found === undefined) return undefined
  const { value } = found
  const name = [value.firstName, value.lastName].filter(Boolean).join(" ")
  return html`<h2>User</h2>
<p><a href="${root}${userPath(value.username)}">${value.username}</a> ${name}</p>`
}

/** In the order in which they are shown, before those of an extension and the documents. */
const own: readonly Finder[] = [pets, order, user, ...namedThings, findEvents]
