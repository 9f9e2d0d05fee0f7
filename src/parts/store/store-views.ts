import type { Order } from "../../core/domain/orders/contract.ts"
import type { Pet } from "../../core/domain/pets/contract.ts"
import type { Store } from "../../core/domain/ports/store.ts"
import { Problem } from "../../core/kernel/problem.ts"
import type { Exchange } from "../../core/server/exchange/exchange.ts"
import { inLabels } from "../site/pages/parts/in-labels.ts"
import type { Call } from "../site/serving/call.ts"
import type { ListView, StoreQuery } from "./views.ts"

const petsAPage = 24
const eventsShown = 8
/** How many events to search for public ones; most may belong to accounts. */
export const eventsSearched = 200
const publicAccount = 0
const parameters = ["name", "status", "category", "tag", "sort"] as const

type ListQuery = NonNullable<NonNullable<Parameters<Call["listPets"]>[0]>["query"]>

/** Queries what the store's pages show, through the operations of the API. */
export function storeViews(callAs: (exchange: Exchange) => Call, store: Pick<Store, "events">) {
  async function latest(): Promise<Pick<ListView, "recentEvents" | "resumeAfter">> {
    const last = await store.events.lastPosition()
    const resumeAfter = last > 0 ? (await store.events.at(last)).id : ""
    const publicEvents = await store.events.feed(Math.max(0, last - eventsSearched), publicAccount, eventsSearched)
    return { recentEvents: publicEvents.slice(-eventsShown).reverse(), resumeAfter }
  }

  return {
    /** The pets for the query, or the reason it is invalid. */
    async list(exchange: Exchange): Promise<Omit<ListView, "visitor">> {
      const requested = new URLSearchParams(exchange.query)
      const fields = parameters.flatMap((name) => (requested.get(name) ? [[name, requested.get(name) as string]] : []))
      const wanted: StoreQuery = Object.fromEntries(fields)
      const cursor = requested.get("cursor") ?? ""
      const view = {
        filter: wanted,
        query: requested,
        isStart: fields.length === 0 && cursor === "",
        ...(await latest()),
      }
      // The operation refuses invalid values.
      const query: ListQuery = { ...Object.fromEntries(fields), limit: petsAPage, ...(cursor && { cursor }) }
      try {
        const { value: pets, ...list } = await callAs(exchange).listPets({ query, counts: true })
        return { ...view, pets, next: list.next, total: list.total, refusal: undefined }
      } catch (error) {
        return { ...view, pets: [], next: undefined, total: undefined, refusal: refusalOf(error, "invalid-parameter") }
      }
    },

    async pet(exchange: Exchange, id: string): Promise<Pet | undefined> {
      try {
        return (await callAs(exchange).getPetById({ params: { petId: Number(id) } })).value
      } catch (error) {
        refusalOf(error, "pet-not-found", "invalid-parameter")
        return undefined
      }
    },

    /** The order in the address, if it is for this pet and the customer may see it. */
    async order(exchange: Exchange, pet: Pet, find: () => Promise<Call | undefined>): Promise<Order | undefined> {
      const orderId = new URLSearchParams(exchange.query).get("order")
      if (!orderId) return undefined
      try {
        const call = await find()
        if (!call) return undefined
        const { value: found } = await call.getOrderById({ params: { orderId: Number(orderId) } })
        return found.petId === pet.id ? found : undefined
      } catch (error) {
        refusalOf(error, "order-not-found", "invalid-parameter", "unauthorized", "forbidden")
        return undefined
      }
    },
  }
}

/** What a visitor chooses, by the names that the operations have for it. */
const labels: ReadonlyMap<string, string> = new Map([
  ["petId", "Pet"],
  ["name", "Name"],
  ["status", "Status"],
  ["category", "Category"],
  ["tag", "Tag"],
  ["sort", "Order"],
])

/** The message of a problem with one of these codes, or of any problem; rethrows other errors. */
export function refusalOf(error: unknown, ...codes: string[]): string {
  if (error instanceof Problem && (codes.length === 0 || codes.includes(error.code)))
    return inLabels(error, (name) => labels.get(name)).detail
  throw error
}
