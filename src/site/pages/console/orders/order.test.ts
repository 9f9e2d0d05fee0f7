import assert from "node:assert/strict"
import { test } from "node:test"
import { factsOf, openVisit, type VisitGiven, waysOf } from "../../../../../test/harness/visit.ts"
import { Problem } from "../../../../kernel/problem.ts"
import { orderPage } from "./order.ts"

const order = { id: 5, petId: 7, quantity: 2, status: "placed", accountId: 3, accountName: "Shop" }
const rex = { id: 7, name: "Rex", status: "pending", photoUrls: [], tags: [] }

type Given = VisitGiven & { order?: object; pet?: object | Error }

/** The page of an order, of which someone with these scopes may see the pages of the account. */
async function shown({ order: changed = {}, pet = { value: rex }, ...given }: Given = {}) {
  const calls = { getOrderRecord: { value: { ...order, ...changed } }, getPetById: pet }
  const { visit } = openVisit({ path: "/orders/5", params: { orderId: "5" }, calls, ...given })
  const { text } = await orderPage.show(visit)
  return {
    facts: factsOf(text),
    back: /<p class="back"><a href="\/console\/orders">(.*?)</.exec(text)?.[1],
    actions: waysOf(text).filter((way) => !way?.startsWith("/")),
    ending: /<p>The order is permanently deleted; (.*?)\.<\/p>/.exec(text)?.[1],
    hasPicture: text.includes('<img class="picture"'),
  }
}

test("staff approve and deliver an order in this order; its customer cancels it, and deletes a delivered one", async () => {
  const scopes = ["write:orders"]
  const actions = async (status: string, role: string) =>
    (await shown({ scopes, order: { status }, person: { role } })).actions
  assert.deepEqual(await actions("placed", "staff"), ["approve", "cancel"])
  assert.deepEqual(await actions("approved", "staff"), ["deliver", "cancel"])
  assert.deepEqual(await actions("delivered", "staff"), ["cancel"])
  for (const status of ["placed", "approved", "delivered"])
    assert.deepEqual(await actions(status, "customer"), ["cancel"], status)
  assert.deepEqual((await shown()).actions, [])
  const ending = async (given: Given) => (await shown({ scopes, ...given })).ending
  assert.equal(await ending({}), "Rex becomes available again")
  assert.equal(await ending({ order: { status: "delivered" } }), "Rex remains sold")
  assert.equal(await ending({ pet: new Problem("pet-not-found", "No") }), "the pet becomes available again")
})

test("an order has its pet, if that is still there, and the user or the program that placed it", async () => {
  const { facts, hasPicture, back } = await shown()
  assert.deepEqual([hasPicture, back], [true, "All orders"])
  assert.deepEqual(facts, {
    Pet: '<a href="/console/pets/7">Rex</a>',
    Quantity: "2",
    "Ordered by": '<a href="/console/accounts/3">Shop</a>',
    Placed: "before times were recorded",
    Ships: "no date",
  })
  const orderedBy = async (changed: object, mayGo: boolean) =>
    (await shown({ order: changed, mayGo: () => mayGo })).facts["Ordered by"]
  assert.equal(await orderedBy({ username: "a b" }, true), '<a href="/console/users/named/a%20b">a b</a>')
  assert.equal(await orderedBy({ username: "ada" }, false), "ada")
  assert.equal(await orderedBy({}, false), "Shop")
  assert.equal(await orderedBy({ accountName: undefined }, false), "")
  const gone = await shown({ pet: new Problem("pet-not-found", "No"), person: { role: "customer" } })
  assert.deepEqual([gone.facts.Pet, gone.hasPicture, gone.back], ["7 (deleted)", false, "Your orders"])
  await assert.rejects(shown({ pet: new Problem("unavailable", "No") }), { code: "unavailable" })
})

test("an action changes the order and says its status", async () => {
  const acted = async (action: string) => {
    const { visit, called } = openVisit({ params: { orderId: "5" }, calls: { patchOrder: {}, deleteOrder: {} } })
    return [await orderPage.actions?.[action]?.(visit, new URLSearchParams()), called]
  }
  const params = { orderId: 5 }
  const moved = (status: string) => [
    { to: "/orders/5", notice: `Order 5 is ${status}` },
    [["patchOrder", { params, body: { status } }]],
  ]
  assert.deepEqual(await acted("approve"), moved("approved"))
  assert.deepEqual(await acted("deliver"), moved("delivered"))
  const gone = { to: "/orders", notice: "Order 5 was deleted" }
  assert.deepEqual(await acted("cancel"), [gone, [["deleteOrder", { params }]]])
})
