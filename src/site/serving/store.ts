import type { Api } from "../../api/operations/api.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { Router } from "../../server/exchange/router.ts"
import { readRequestBody } from "../../server/reading/body.ts"
import { redirect } from "../../server/writing/page-response.ts"
import { validatePage } from "../../server/writing/validate-page.ts"
import type { SignedIn } from "../pages/header.ts"
import { storePetPage } from "../pages/store/pet-page.ts"
import { storePage } from "../pages/store/store-page.ts"
import type { Shop } from "../pages/store/views.ts"
import { callerOf, type Visitor } from "./caller.ts"
import { requireOwnPage, sessionToken } from "./forms.ts"
import { publicEvents } from "./public-events.ts"
import { refusalOf, storeViews } from "./store-views.ts"
import { anonymousVisitor, type Person } from "./visitor.ts"

const formBytesMax = 1024

type StoreParts = {
  shop: Shop
  api: Api
  /** Undefined when no person is signed in. */
  findPerson(exchange: Exchange): Promise<Person | undefined>
  /** The public key that visitors order with; undefined where there is none. */
  knownKey: string | undefined
  respondNotFound(exchange: Exchange): HttpResponse
}

/** The public store: a list of pets, a page for each, live events, and orders. */
export function addStore(router: Router, parts: StoreParts): void {
  const { shop, api, findPerson, knownKey, respondNotFound } = parts
  const callAs = callerOf({ ...api, admit: admitWithKey })
  const views = storeViews(callAs, api.ports.store)
  const add = (path: string, handle: (exchange: Exchange) => Promise<HttpResponse | undefined>) =>
    router.add(["GET"], path, { admission: "files", handle })
  add("/", async (exchange) => {
    const [person, view] = [await findPerson(exchange), await views.list(exchange)]
    return validatePage(exchange, storePage(shop, { ...view, person: person && toSignedIn(person) }))
  })
  add("/pets/:id", async (exchange) => validatePage(exchange, await showPet(exchange)))
  add("/store/events", publicEvents(api))
  router.add(["POST"], "/pets/:id/order", {
    admission: "anonymous",
    // Refused to pages of other sites: the key is public, but the visitor did not choose to order.
    isAdministrative: true,
    handle: order,
  })

  async function showPet(exchange: Exchange, refusal?: string): Promise<HttpResponse> {
    const person = await findPerson(exchange)
    const pet = await views.pet(exchange, exchange.params.id ?? "")
    if (!pet) return respondNotFound(exchange)
    const order = await views.order(exchange, pet, () => customer(exchange, person))
    return storePetPage(shop, { pet, order, refusal, person: person && toSignedIn(person) })
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

  /** Who orders: the signed-in person, or an anonymous visitor with the public key; undefined where there is none. */
  const customer = async (exchange: Exchange, person: Person | undefined): Promise<Visitor | undefined> =>
    person ?? (knownKey === undefined ? undefined : withKey(exchange, knownKey))

  async function order(exchange: Exchange): Promise<HttpResponse> {
    requireOwnPage(exchange, shop.publicUrl())
    await readRequestBody(exchange.request, formBytesMax)
    const pet = await views.pet(exchange, exchange.params.id ?? "")
    if (!pet) return respondNotFound(exchange)
    const visitor = await customer(exchange, await findPerson(exchange))
    if (!visitor) return redirect("../../console/sign-in")
    try {
      const { value } = await callAs(visitor).placeOrder({ body: { petId: pet.id } })
      return redirect(`../${pet.id}?order=${value.id}`)
    } catch (error) {
      return showPet(exchange, refusalOf(error))
    }
  }
}

const toSignedIn = ({ caller: { user }, token }: Person): SignedIn => ({
  username: user.username,
  role: user.role,
  token: sessionToken(token),
})

/** Where `/` leads without a public store. */
export const addEntrance = (router: Router): void =>
  router.add(["GET"], "/", {
    admission: "files",
    handle: () => ({ status: 302, headers: ["location", "./console", "cache-control", "no-cache"], body: undefined }),
  })
