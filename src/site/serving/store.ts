import type { Api } from "../../api/operations/api.ts"
import { EventId } from "../../domain/events/contract.ts"
import { isInFeed, positionOf } from "../../domain/events/rules.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { checkOf } from "../../kernel/schema/check.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { Router } from "../../server/exchange/router.ts"
import { readRequestBody } from "../../server/reading/body.ts"
import { redirect } from "../../server/writing/page-response.ts"
import { validatePage } from "../../server/writing/validate-page.ts"
import { storePetPage } from "../pages/store/pet-page.ts"
import { storePage } from "../pages/store/store-page.ts"
import type { Shop } from "../pages/store/views.ts"
import { callerOf, type Visitor } from "./caller.ts"
import { requireOwnPage } from "./forms.ts"
import { eventsSearched, refusalOf, storeViews } from "./store-views.ts"
import { anonymousVisitor } from "./visitor.ts"

const formBytesMax = 1024

type StoreParts = {
  shop: Shop
  api: Api
  /** The public key that visitors order with; undefined where there is none. */
  knownKey: string | undefined
  respondNotFound(exchange: Exchange): HttpResponse
}

/** The public store: a list of pets, a page for each, live events, and orders where there is a public key. */
export function addStore(router: Router, parts: StoreParts): void {
  const { shop, api, knownKey, respondNotFound } = parts
  const { streams, ports } = api
  const callAs = callerOf({ ...api, admit: admitWithKey })
  const views = storeViews(callAs, ports.store)
  const add = (path: string, handle: (exchange: Exchange) => Promise<HttpResponse | undefined>) =>
    router.add(["GET"], path, { admission: "files", handle })
  add("/", async (exchange) => validatePage(exchange, storePage(shop, await views.list(exchange))))
  add("/pets/:id", async (exchange) => validatePage(exchange, await showPet(exchange)))
  add("/store/events", stream)
  if (knownKey !== undefined)
    router.add(["POST"], "/pets/:id/order", {
      admission: "anonymous",
      // Refused to pages of other sites: the key is public, but the visitor did not choose to order.
      isAdministrative: true,
      handle: (exchange) => order(exchange, knownKey),
    })

  async function showPet(exchange: Exchange, refusal?: string): Promise<HttpResponse> {
    const pet = await views.pet(exchange, exchange.params.id ?? "")
    if (!pet) return respondNotFound(exchange)
    const order =
      knownKey === undefined ? undefined : await views.order(exchange, pet, () => withKey(exchange, knownKey))
    return storePetPage(shop, { pet, order, refusal })
  }

  /** The store shows public data; an order needs the key's scopes. */
  function admitWithKey(visitor: Visitor, endpoint: Endpoint): Awaitable<void> {
    if (visitor.caller) return api.admitKnown(visitor, endpoint)
  }

  async function withKey(exchange: Exchange, key: string): Promise<Visitor> {
    const { socket } = exchange.request
    const { caller } = await api.authenticate({ headers: { api_key: key }, socket }, exchange.address)
    exchange.caller = caller
    return { ...anonymousVisitor(exchange), caller }
  }

  async function order(exchange: Exchange, key: string): Promise<HttpResponse> {
    requireOwnPage(exchange, shop.publicUrl())
    await readRequestBody(exchange.request, formBytesMax)
    const pet = await views.pet(exchange, exchange.params.id ?? "")
    if (!pet) return respondNotFound(exchange)
    try {
      const { value } = await callAs(await withKey(exchange, key)).placeOrder({ body: { petId: pet.id } })
      return redirect(`../${pet.id}?order=${value.id}`)
    } catch (error) {
      return showPet(exchange, refusalOf(error))
    }
  }

  /** Public events for anonymous visitors, no older than those on the page. */
  async function stream(exchange: Exchange): Promise<HttpResponse | undefined> {
    exchange.isReadableAnywhere = false
    const { "last-event-id": received } = exchange.request.headers
    const asked = [received].flat()[0] ?? new URLSearchParams(exchange.query).get("after") ?? ""
    const { events } = ports.store
    const last = await events.at(await events.lastPosition())
    // The page names no event when there was none, and one that the feed does not contain if it is from before a reset.
    const isKnown = isEventId(asked).length === 0 && isInFeed(asked, await events.at(positionOf(asked)))
    const after = Math.max(isKnown ? positionOf(asked) : 0, last.position - eventsSearched)
    const holder = { kind: "anonymous", address: exchange.address } as const
    return streams.open(exchange, { after: await events.at(after), last, holder })
  }
}

/** Where `/` leads without a public store. */
export const addEntrance = (router: Router): void =>
  router.add(["GET"], "/", {
    admission: "files",
    handle: () => ({ status: 302, headers: ["location", "./console", "cache-control", "no-cache"], body: undefined }),
  })

const isEventId = checkOf(EventId)
