import { EventId } from "../../domain/events/contract.ts"
import { positionOf } from "../../domain/events/rules.ts"
import type { Order } from "../../domain/orders/contract.ts"
import type { Store } from "../../domain/ports/store.ts"
import { fromJson } from "../../kernel/json/json.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { checkOf } from "../../kernel/schema/check.ts"
import { petPage } from "../../web/store/pet-page.ts"
import { storePage } from "../../web/store/store-page.ts"
import type { Shop } from "../../web/store/views.ts"
import type { Streams } from "../event-stream/streams.ts"
import type { Operate } from "../operations/page-operations.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { Router } from "../pipeline/router.ts"
import { readBody } from "../reading/body.ts"
import { requireOwnPage } from "./forms.ts"
import { eventsLookedAt, refusalOf, storeViews } from "./store-views.ts"

const formBytesMax = 1024

type StoreParts = {
  shop: Shop
  operate: Operate
  store: Pick<Store, "events">
  streams: Streams
  /** The key visitors order with; undefined where there is none for everybody. */
  knownKey: string | undefined
  respondNotFound(exchange: Exchange): HttpResponse
}

/** The store as people see it: the pets, a page for each, what happens to them, and ordering one where everybody has a key. */
export function addStore(router: Router, parts: StoreParts): void {
  const { shop, operate, store, streams, knownKey, respondNotFound } = parts
  const views = storeViews(parts)
  const add = (path: string, handle: (exchange: Exchange) => Promise<HttpResponse | undefined>) =>
    router.add(["GET"], path, { admission: "files", handle })
  add("/", async (exchange) => storePage(shop, await views.list(exchange)))
  add("/pets/:id", (exchange) => showPet(exchange))
  add("/store/events", stream)
  if (knownKey !== undefined)
    router.add(["POST"], "/pets/:id/order", {
      admission: "anonymous",
      // Kept from pages of other sites like what administers: the key is everybody's, the visitor is not.
      isAdministrative: true,
      handle: (exchange) => order(exchange, knownKey),
    })

  async function showPet(exchange: Exchange, refusal?: string): Promise<HttpResponse> {
    const pet = await views.pet(exchange, exchange.params.id ?? "")
    if (!pet) return respondNotFound(exchange)
    const order = knownKey === undefined ? undefined : await views.order(exchange, pet, knownKey)
    return petPage(shop, { pet, order, refusal })
  }

  async function order(exchange: Exchange, key: string): Promise<HttpResponse> {
    requireOwnPage(exchange, shop.publicUrl())
    await readBody(exchange.request, formBytesMax)
    const pet = await views.pet(exchange, exchange.params.id ?? "")
    if (!pet) return respondNotFound(exchange)
    try {
      const { json } = await operate(exchange, "placeOrder", { body: { petId: pet.id }, key })
      const location = `../${pet.id}?order=${(fromJson(json) as Order).id}`
      return { status: 303, headers: ["location", location, "cache-control", "no-store"], body: undefined }
    } catch (error) {
      return showPet(exchange, refusalOf(error))
    }
  }

  /** What concerns everybody, for who is nobody; not from longer ago than the page shows. */
  async function stream(exchange: Exchange): Promise<HttpResponse | undefined> {
    exchange.isReadableAnywhere = false
    const { "last-event-id": received } = exchange.request.headers
    const asked = [received].flat()[0] ?? new URLSearchParams(exchange.query).get("after") ?? ""
    const last = await store.events.lastPlace()
    // A page made before anything had a place names none.
    const behind = isEventId(asked).length > 0 ? 0 : positionOf(asked)
    const after = Math.max(behind, last - eventsLookedAt)
    return streams.open(exchange, { after, last, holder: { kind: "stranger", address: exchange.address } })
  }
}

/** Where `/` leads while there is no public store. */
export const addEntrance = (router: Router): void =>
  router.add(["GET"], "/", {
    admission: "files",
    handle: () => ({ status: 302, headers: ["location", "./console", "cache-control", "no-cache"], body: undefined }),
  })

const isEventId = checkOf(EventId)
