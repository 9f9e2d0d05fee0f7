import { placeIdOf } from "../../domain/events/rules.ts"
import type { Order } from "../../domain/orders/contract.ts"
import type { Pet } from "../../domain/pets/contract.ts"
import type { Store } from "../../domain/ports/store.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Call } from "../../web/console/call.ts"
import type { ListView, StoreQuery } from "../../web/store/views.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { Asker } from "./caller.ts"
import { strangerOf } from "./visitor.ts"

const petsAPage = 24
const eventsShown = 8
/** Behind how many events, most of which may be somebody's own, the latest of everybody's are looked for. */
export const eventsLookedAt = 200
const nobody = 0
const parameters = ["name", "status", "category", "tag", "sort"] as const

type ListQuery = NonNullable<NonNullable<Parameters<Call["listPets"]>[0]>["query"]>

/** Finds what the pages of the store show, by the operations that programs use. */
export function storeViews(callAs: (asker: Asker) => Call, store: Pick<Store, "events">) {
  async function latest(): Promise<Pick<ListView, "recentEvents" | "resumeAfter">> {
    const last = await store.events.lastPlace()
    const everybodys = await store.events.feed(Math.max(0, last - eventsLookedAt), nobody, eventsLookedAt)
    return { recentEvents: everybodys.slice(-eventsShown).reverse(), resumeAfter: last > 0 ? placeIdOf(last) : "" }
  }

  return {
    /** The pets that the address asks for, what is wrong with it included. */
    async list(exchange: Exchange): Promise<ListView> {
      const asked = new URLSearchParams(exchange.query)
      const given = parameters.flatMap((name) => (asked.get(name) ? [[name, asked.get(name) as string]] : []))
      const wanted: StoreQuery = Object.fromEntries(given)
      const cursor = asked.get("cursor") ?? ""
      const view = { filter: wanted, isStart: given.length === 0 && cursor === "", ...(await latest()) }
      // The operation refuses what does not fit.
      const query: ListQuery = { ...Object.fromEntries(given), limit: petsAPage, ...(cursor && { cursor }) }
      try {
        const { value: pets, next } = await callAs(strangerOf(exchange)).listPets({ query })
        return { ...view, pets, next: nextPage(wanted, next), refusal: undefined }
      } catch (error) {
        return { ...view, pets: [], next: undefined, refusal: refusalOf(error, "invalid-parameter") }
      }
    },

    /** The pet of this id; undefined where there is none. */
    async pet(exchange: Exchange, id: string): Promise<Pet | undefined> {
      try {
        return (await callAs(strangerOf(exchange)).getPetById({ params: { petId: Number(id) } })).value
      } catch (error) {
        refusalOf(error, "pet-not-found", "invalid-parameter")
        return undefined
      }
    },

    /** The order the address tells of, if it is one for this pet that the key may see. */
    async order(exchange: Exchange, pet: Pet, find: () => Promise<Asker>): Promise<Order | undefined> {
      const orderId = new URLSearchParams(exchange.query).get("order")
      if (!orderId) return undefined
      try {
        const { value: found } = await callAs(await find()).getOrderById({ params: { orderId: Number(orderId) } })
        return found.petId === pet.id ? found : undefined
      } catch (error) {
        refusalOf(error, "order-not-found", "invalid-parameter", "unauthorized", "forbidden")
        return undefined
      }
    },
  }
}

const nextPage = (wanted: StoreQuery, cursor: string | undefined): string | undefined =>
  cursor && `${new URLSearchParams({ ...wanted, cursor })}`

/** The words of a problem of one of these codes, or of any; whatever else was thrown is thrown again. */
export function refusalOf(error: unknown, ...codes: string[]): string {
  if (error instanceof Problem && (codes.length === 0 || codes.includes(error.code))) return error.detail
  throw error
}
