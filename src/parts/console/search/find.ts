import type { Caller } from "../../../core/domain/accounts/model.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { contains, type Found, idIn } from "../../site/search/found.ts"
import { searchPets } from "../../site/search/search-pets.ts"
import { calledUnless } from "../../site/serving/call.ts"
import type { Visitor } from "../../site/serving/visitor.ts"
import type { Console } from "../console.ts"
import type { Finder } from "../pages/page.ts"
import { userPath } from "../pages/users/user-record.ts"
import { visitOf } from "../serving/visit.ts"
import { namedThings } from "./named.ts"

/** What the console has for a person: looked up in an index, or in one page of a short list. */
export async function find(
  console: Console,
  exchange: Exchange<Caller>,
  visitor: Visitor,
  text: string,
): Promise<readonly Found[]> {
  const visit = visitOf(console, exchange, visitor)
  const finders = [pages, ...(console.extension?.finders ?? []), ...(text === "" ? [] : things)]
  return (await Promise.all(finders.map((finder) => finder(visit, text)))).flat()
}

/** Those of the navigation for an empty text, and by name all that have an address of their own. */
const pages: Finder = ({ root, groups, mayGo }, text) => [
  {
    title: "Pages",
    hits: groups.flatMap(({ title = "", pages }) =>
      pages
        .filter(({ path, title }) => (text === "" ? !path.includes("/", 1) : contains(text, title)))
        .filter(({ path }) => !path.includes(":") && mayGo(path))
        .map((page) => ({ label: page.title, note: title, href: root + (page.path === "/" ? "" : page.path) })),
    ),
  },
]

const pets: Finder = ({ root, mayGo, call }, text) =>
  mayGo("/pets")
    ? searchPets(call, text, {
        pet: (id) => `${root}/pets/${id}`,
        list: (query) => `${root}/pets?${new URLSearchParams(query)}`,
      })
    : []

const order: Finder = async ({ call, root, mayGo }, text) => {
  const orderId = idIn(text, "order")
  if (orderId === undefined || !mayGo(`/orders/${orderId}`)) return []
  const found = await calledUnless(["order-not-found"], call.getOrderById({ params: { orderId } }))
  if (found === undefined) return []
  const { id, petId, status } = found.value
  return [
    {
      title: "Orders",
      hits: [{ label: `Order ${id}`, note: `of pet ${petId}, ${status}`, href: `${root}/orders/${id}` }],
    },
  ]
}

const user: Finder = async ({ call, root, mayGo }, username) => {
  if (!mayGo(userPath(username))) return []
  const found = await calledUnless(
    ["user-not-found", "invalid-parameter"],
    call.getUserByName({ params: { username } }),
  )
  if (found === undefined) return []
  const { value } = found
  const note = [value.firstName, value.lastName].filter(Boolean).join(" ")
  return [{ title: "Users", hits: [{ label: value.username, note, href: root + userPath(value.username) }] }]
}

/** The newest events that are searched: an id alone is not indexed for an account. */
const eventsSearched = 1000

/** By the beginning of the id; an event has no page of its own, so the list of its kind is shown. */
const events: Finder = async ({ call, root, mayGo }, text) => {
  if (!text.startsWith("evt_") || !mayGo("/events")) return []
  const { value } = await call.listEvents({ query: { sort: "-id", limit: eventsSearched } })
  const hits = value
    .filter(({ id }) => id.startsWith(text))
    .map(({ id, event, timestamp }) => ({
      label: id,
      note: `${event}, ${timestamp}`,
      href: `${root}/events?${new URLSearchParams({ kind: event })}`,
    }))
  return [{ title: "Events", hits }]
}

const things: readonly Finder[] = [pets, order, user, ...namedThings, events]
