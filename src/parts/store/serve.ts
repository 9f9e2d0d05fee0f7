import type { Api } from "../../core/api/operations/api.ts"
import type { HttpResponse } from "../../core/kernel/network/http-response.ts"
import type { Exchange, HttpRoute } from "../../core/server/exchange/exchange.ts"
import type { Router } from "../../core/server/exchange/router.ts"
import type { HttpContext } from "../../core/server/http-context.ts"
import { readRequestBody } from "../../core/server/reading/body.ts"
import { redirect } from "../../core/server/writing/page-response.ts"
import { validatePage } from "../../core/server/writing/validate-page.ts"
import { searchPets } from "../site/search/search-pets.ts"
import type { Call } from "../site/serving/call.ts"
import { callerOf } from "../site/serving/caller.ts"
import { requireOwnPage } from "../site/serving/forms.ts"
import type { Visitor } from "../site/serving/visitor.ts"
import { storePetPage } from "./pet-page.ts"
import { publicEvents } from "./public-events.ts"
import { storePage } from "./store-page.ts"
import { refusalOf, storeViews } from "./store-views.ts"
import type { Shop } from "./views.ts"

const formBytesMax = 1024

/** The public store: a list of pets, a page for each, live events, and orders. */
export function addStore(router: Router, shop: Shop, api: Api, respondNotFound: HttpContext["respondNotFound"]): void {
  const { findVisitor } = shop.site
  const knownKey = shop.knownKeys[0]?.secret
  // The store shows public data; an order needs the key's scopes.
  const callAs = callerOf(api, (known, endpoint) => (known.caller ? api.admitKnown(known, endpoint) : undefined))
  const views = storeViews(callAs, api.ports.store)
  const add = (path: string, handle: HttpRoute["handle"]) =>
    router.add(["GET"], path, { admission: "files", isPage: true, handle })
  shop.site.finders.push(({ exchange, visitor, root }, text) =>
    // A person who is signed in finds the pages of the console.
    visitor
      ? []
      : searchPets(callAs(exchange), text, {
          pet: (id) => `${root}/pets/${id}`,
          list: (query) => `${root}/?${new URLSearchParams(query)}`,
        }),
  )
  add("/", async (exchange) => {
    const [visitor, view] = [await findVisitor(exchange), await views.list(exchange)]
    return validatePage(exchange, storePage(shop, { ...view, visitor }))
  })
  add("/pets/:id", async (exchange) => validatePage(exchange, await showPet(exchange)))
  add("/store/events", publicEvents(api))
  router.add(["POST"], "/pets/:id/order", {
    admission: "anonymous",
    isPage: true,
    // Refused to pages of other sites: the key is public, but the visitor did not choose to order.
    isAdministrative: true,
    handle: order,
  })

  async function showPet(exchange: Exchange, refusal?: string): Promise<HttpResponse> {
    const visitor = await findVisitor(exchange)
    const pet = await views.pet(exchange, exchange.params.id ?? "")
    if (!pet) return respondNotFound(exchange)
    const order = await views.order(exchange, pet, () => customer(exchange, visitor))
    return storePetPage(shop, { pet, order, refusal, visitor })
  }

  /** Runs operations as the signed-in visitor, or with the public key; undefined without either. */
  async function customer(exchange: Exchange, visitor: Visitor | undefined): Promise<Call | undefined> {
    if (visitor) return callAs(exchange, visitor)
    if (knownKey === undefined) return undefined
    const { socket } = exchange.request
    const { caller } = await api.authenticate({ headers: { api_key: knownKey }, socket }, exchange.address)
    exchange.caller = caller
    return callAs(exchange, { caller })
  }

  async function order(exchange: Exchange): Promise<HttpResponse> {
    requireOwnPage(exchange, shop.publicUrl())
    await readRequestBody(exchange.request, formBytesMax)
    const pet = await views.pet(exchange, exchange.params.id ?? "")
    if (!pet) return respondNotFound(exchange)
    const call = await customer(exchange, await findVisitor(exchange))
    if (!call) return redirect("../../console/sign-in")
    try {
      const { value } = await call.placeOrder({ body: { petId: pet.id } })
      return redirect(`../${pet.id}?order=${value.id}`)
    } catch (error) {
      return showPet(exchange, refusalOf(error))
    }
  }
}

/** Where `/` leads without a public store. */
export const addEntrance = (router: Router): void =>
  router.add(["GET"], "/", {
    admission: "files",
    isPage: true,
    handle: () => ({ status: 302, headers: ["location", "./console", "cache-control", "no-cache"], body: undefined }),
  })
