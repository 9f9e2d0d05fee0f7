import { placeIdOf } from "../../domain/events/rules.ts"
import type { Order } from "../../domain/orders/contract.ts"
import type { Pet } from "../../domain/pets/contract.ts"
import type { Store } from "../../domain/ports/store.ts"
import { fromJson } from "../../kernel/json/json.ts"
import type { JsonResponse } from "../../kernel/json/json-response.ts"
import { encodeCursor } from "../../kernel/page.ts"
import { Problem } from "../../kernel/problem.ts"
import type { ListView, Wanted } from "../../web/store/views.ts"
import type { Operate } from "../operations/page-operations.ts"
import type { Exchange } from "../pipeline/exchange.ts"

const petsAPage = 24
const eventsShown = 8
/** Behind how many events, most of which may be somebody's own, the latest of everybody's are looked for. */
export const eventsLookedAt = 200
const nobody = 0
const parameters = ["name", "status", "category", "tag", "sort"] as const

/** Finds what the pages of the store show, by the operations that programs use. */
export function storeViews({ operate, store }: { operate: Operate; store: Pick<Store, "events"> }) {
  async function latest(): Promise<Pick<ListView, "happened" | "place">> {
    const last = await store.events.lastPlace()
    const everybodys = await store.events.feed(Math.max(0, last - eventsLookedAt), nobody, eventsLookedAt)
    return { happened: everybodys.slice(-eventsShown).reverse(), place: last > 0 ? placeIdOf(last) : "" }
  }

  return {
    /** The pets that the address asks for, what is wrong with it included. */
    async list(exchange: Exchange): Promise<ListView> {
      const asked = new URLSearchParams(exchange.query)
      const given = parameters.flatMap((name) => (asked.get(name) ? [[name, asked.get(name) as string]] : []))
      const wanted: Wanted = Object.fromEntries(given)
      const cursor = asked.get("cursor") ?? ""
      const view = { wanted, isStart: given.length === 0 && cursor === "", ...(await latest()) }
      const query = new URLSearchParams({ ...wanted, limit: String(petsAPage), ...(cursor && { cursor }) })
      try {
        const { json, next } = await operate(exchange, "listPets", { query: `${query}` })
        return { ...view, pets: fromJson(json) as Pet[], next: nextPage(wanted, next), refusal: undefined }
      } catch (error) {
        return { ...view, pets: [], next: undefined, refusal: refusalOf(error, "invalid-parameter") }
      }
    },

    /** The pet of this id; undefined where there is none. */
    async pet(exchange: Exchange, petId: string): Promise<Pet | undefined> {
      try {
        return fromJson((await operate(exchange, "getPetById", { params: { petId } })).json) as Pet
      } catch (error) {
        refusalOf(error, "pet-not-found", "invalid-parameter")
        return undefined
      }
    },

    /** The order the address tells of, if it is one for this pet that the key may see. */
    async order(exchange: Exchange, pet: Pet, key: string): Promise<Order | undefined> {
      const orderId = new URLSearchParams(exchange.query).get("order")
      if (!orderId) return undefined
      try {
        const found = fromJson((await operate(exchange, "getOrderById", { params: { orderId }, key })).json) as Order
        return found.petId === pet.id ? found : undefined
      } catch (error) {
        refusalOf(error, "order-not-found", "invalid-parameter", "unauthorized", "forbidden")
        return undefined
      }
    },
  }
}

function nextPage(wanted: Wanted, next: JsonResponse<unknown>["next"]): string | undefined {
  if (next === undefined || typeof next === "number") return undefined
  return new URLSearchParams({ ...wanted, cursor: encodeCursor(next) }).toString()
}

/** The words of a problem of one of these codes, or of any; whatever else was thrown is thrown again. */
export function refusalOf(error: unknown, ...codes: string[]): string {
  if (error instanceof Problem && (codes.length === 0 || codes.includes(error.code))) return error.detail
  throw error
}
