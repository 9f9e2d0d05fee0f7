import assert from "node:assert/strict"
import { beforeEach, test } from "node:test"
import { expireOrders } from "../../src/core/domain/orders/expire.ts"
import type { Store } from "../../src/core/domain/ports/store.ts"
import { effort } from "../harness/effort.ts"
import { refusedAs } from "../harness/petstore.ts"
import { newPet } from "../harness/samples.ts"
import { usePetstore } from "../harness/use.ts"

const day = 86_400_000
const petstore = usePetstore({ env: { PETSTORE_OPEN_ORDERS: "3" } }, "one for each test")
const staff = petstore.as("special-key")
const customer = petstore.as("free-key")

beforeEach(async () => {
  // The sandbox's own unapproved order.
  await staff.deleteOrder({ params: { orderId: 1 } })
})

const place = async (client: typeof customer) =>
  (await client.placeOrder({ body: { petId: await newPet(staff) } })).value
const approve = (orderId: number) => staff.patchOrder({ params: { orderId }, body: { status: "approved" } })
const deliver = (orderId: number) => staff.patchOrder({ params: { orderId }, body: { status: "delivered" } })
const statusOf = async (petId: number) => (await staff.getPetById({ params: { petId } })).value.status

/** The events since then, without those of pets. */
async function announced(since: number) {
  const events = await petstore.store.events.after(since, 10_000)
  return events.map(({ json }) => JSON.parse(json)).filter(({ event }) => event.startsWith("order."))
}
const lastEvent = async () => (await petstore.store.events.after(0, 10_000)).at(-1)?.id ?? 0

test("a customer has as many undelivered orders as the setting allows; delivering or cancelling one makes space", async () => {
  const [first, second] = [await place(customer), await place(customer), await place(customer)]
  const petId = await newPet(staff)
  const next = () => customer.placeOrder({ body: { petId } })
  await assert.rejects(next(), refusedAs("too-many-open-orders"))
  assert.equal(await statusOf(petId), "available")
  await approve(first.id)
  await assert.rejects(next(), refusedAs("too-many-open-orders"))
  await deliver(first.id)
  const { value: order } = await next()

  await assert.rejects(place(customer), refusedAs("too-many-open-orders"))
  for (const { id } of [second, order]) await customer.deleteOrder({ params: { orderId: id } })
  await place(customer)
  await place(petstore.as("pro-key"))
  for (let n = 0; n < 5; n++) await place(staff)

  const credentials = { username: "user1", password: "password1" }
  const keyOfPerson = async () => {
    const { value: token } = await staff.logIn({ body: credentials })
    const person = petstore.withToken(token)
    return petstore.as((await person.createKey({ body: { name: "till", scopes: ["write:orders"] } })).value.secret)
  }
  await staff.grantRole({ params: { username: "user1", role: "admin" } })
  const till = await keyOfPerson()
  for (let n = 0; n < 5; n++) await place(till)
  await staff.grantRole({ params: { username: "user1", role: "customer" } })
  await assert.rejects(place(till), refusedAs("too-many-open-orders"))
})

test("concurrent orders with several keys of an account do not exceed the limit", async () => {
  const { value: account } = await staff.createAccount({ body: { name: "many", plan: "enterprise" } })
  const clients: (typeof customer)[] = []
  for (const name of ["a", "b"]) {
    const body = { name, scopes: ["write:orders" as const], accountId: account.id }
    clients.push(petstore.as((await staff.createKey({ body })).value.secret))
  }
  const pets = []
  for (let n = 0; n < 20; n++) pets.push(await newPet(staff))
  const tries = pets.map((petId, n) => (clients[n % 2] as typeof customer).placeOrder({ body: { petId } }))
  const outcomes = await Promise.allSettled(tries)
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 3)
  for (const outcome of outcomes)
    if (outcome.status === "rejected") assert.ok(refusedAs("too-many-open-orders")(outcome.reason))
})

test("an order not approved in time is cancelled and its pet becomes available; other orders are kept", async () => {
  const [old, approved] = [await place(customer), await place(customer)]
  await approve(approved.id)
  petstore.clock.advance(2 * day)
  const young = await place(customer)
  const since = await lastEvent()
  const before = petstore.clock.now() - 2 * day

  assert.equal(await expireOrders(petstore, before), 0)
  assert.equal(await expireOrders(petstore, before + 1), 1)
  assert.deepEqual(await announced(since), [
    {
      event: "order.cancelled",
      data: { ...old, reason: "expired" },
      timestamp: new Date(petstore.clock.now()).toISOString(),
    },
  ])
  await assert.rejects(customer.getOrderById({ params: { orderId: old.id } }), refusedAs("order-not-found"))
  assert.deepEqual(await Promise.all([old, approved, young].map(({ petId }) => statusOf(petId))), [
    "available",
    "pending",
    "pending",
  ])
  assert.equal((await place(petstore.as("pro-key"))).status, "placed")
})

test("the event of a deleted order states the reason", async () => {
  const order = await place(customer)
  const since = await lastEvent()
  await customer.deleteOrder({ params: { orderId: order.id } })
  const [cancelled] = await announced(since)
  assert.deepEqual(cancelled.data, { ...order, reason: "requested" })
})

test("an order that was approved or replaced before it would expire is not cancelled", async () => {
  const [old, replaced] = [await place(customer), await place(customer)]
  petstore.clock.advance(7 * day)
  const before = petstore.clock.now()
  const waiting: Store["orders"]["waiting"] = async (...asked) => {
    const orders = await petstore.store.orders.waiting(...asked)
    await approve(old.id)
    await customer.deleteOrder({ params: { orderId: replaced.id } })
    await customer.placeOrder({ body: { id: replaced.id, petId: replaced.petId } })
    return orders
  }
  const store = { ...petstore.store, orders: { ...petstore.store.orders, waiting } }
  assert.equal(await expireOrders({ store, clock: petstore.clock }, before), 0)
  assert.deepEqual(
    { old: await statusOf(old.petId), replaced: await statusOf(replaced.petId) },
    { old: "pending", replaced: "pending" },
  )
  assert.equal((await customer.getOrderById({ params: { orderId: old.id } })).value.status, "approved")
})

test("an order approved while it expires is either approved or cancelled, with one event and a pet of matching status (slow)", async () => {
  const placed = []
  for (let n = 0; n < effort(100, 40); n++) placed.push(await place(staff))
  petstore.clock.advance(7 * day)
  const since = await lastEvent()
  const [, ...outcomes] = await Promise.allSettled([
    expireOrders(petstore, petstore.clock.now()),
    ...placed.toReversed().map(({ id }) => approve(id)),
  ])
  const events = await announced(since)
  for (const [n, { id, petId }] of placed.toReversed().entries()) {
    const isApproved = outcomes[n]?.status === "fulfilled"
    const kinds = events.filter(({ data }) => data.id === id).map(({ event }) => event)
    assert.deepEqual(kinds, [isApproved ? "order.approved" : "order.cancelled"])
    assert.equal(await statusOf(petId), isApproved ? "pending" : "available")
  }
  assert.deepEqual(await petstore.store.orders.waiting(petstore.clock.now(), 1), [])
})
