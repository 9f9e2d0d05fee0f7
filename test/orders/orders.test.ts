import assert from "node:assert/strict"
import { test } from "node:test"
import { nextCursor } from "../../src/client/pages.ts"
import { refusedAs, startPetstore } from "../harness/petstore.ts"
import { newOrder, newPet } from "../harness/samples.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const staff = petstore.as("special-key")
const free = petstore.as("free-key")
const pro = petstore.as("pro-key")

const statusOf = async (petId: number) => (await staff.getPetById({ params: { petId } })).value.status

const move = (orderId: number, status: "placed" | "approved" | "delivered") =>
  staff.patchOrder({ params: { orderId }, body: { status } })

test("an order sets the status of its pet: placed and approved to pending, delivered to sold", async () => {
  const petId = await newPet(staff)
  const { value: order } = await free.placeOrder({ body: { petId, quantity: 2, shipDate: "2026-02-03T04:05:06Z" } })
  assert.deepEqual(order, {
    id: order.id,
    petId,
    quantity: 2,
    shipDate: "2026-02-03T04:05:06Z",
    status: "placed",
    complete: false,
  })
  assert.equal(await statusOf(petId), "pending")
  assert.deepEqual((await move(order.id, "approved")).value, { ...order, status: "approved" })
  assert.equal(await statusOf(petId), "pending")
  assert.deepEqual((await move(order.id, "delivered")).value, { ...order, status: "delivered", complete: true })
  assert.equal(await statusOf(petId), "sold")
  assert.deepEqual((await free.getOrderById({ params: { orderId: order.id } })).value.status, "delivered")
})

test("deleting an undelivered order makes its pet available, a delivered one leaves it sold", async () => {
  const petId = await newPet(staff)
  const first = await newOrder(free, petId)
  await free.deleteOrder({ params: { orderId: first } })
  assert.equal(await statusOf(petId), "available")
  await assert.rejects(free.getOrderById({ params: { orderId: first } }), refusedAs("order-not-found"))

  const second = await newOrder(free, petId)
  await move(second, "approved")
  await move(second, "delivered")
  await free.deleteOrder({ params: { orderId: second } })
  assert.equal(await statusOf(petId), "sold")
})

test("an order moves one step at a time, never back; delivering it twice is a conflict", async () => {
  const orderId = await newOrder(free, await newPet(staff))
  for (const status of ["placed", "delivered"] as const)
    await assert.rejects(move(orderId, status), refusedAs("order-status-conflict"))
  await move(orderId, "approved")
  for (const status of ["placed", "approved"] as const)
    await assert.rejects(move(orderId, status), refusedAs("order-status-conflict"))
  await move(orderId, "delivered")
  for (const status of ["placed", "approved", "delivered"] as const)
    await assert.rejects(move(orderId, status), refusedAs("order-status-conflict"))
})

test("a pet that is not available cannot be ordered", async () => {
  for (const status of ["pending", "sold"] as const) {
    const { value: pet } = await staff.addPet({ body: { name: "Rex", photoUrls: [], status } })
    await assert.rejects(free.placeOrder({ body: { petId: pet.id } }), refusedAs("pet-not-available"))
  }
})

test("a pet with an open order cannot change its status or be deleted; other fields may change", async () => {
  const petId = await newPet(staff)
  const orderId = await newOrder(free, petId)
  const params = { petId }
  const body = { id: petId, name: "Rex", photoUrls: [] }
  const refused = refusedAs("pet-has-open-order")
  await assert.rejects(staff.updatePet({ body: { ...body, status: "available" } }), refused)
  await assert.rejects(staff.patchPet({ params, body: { status: "sold" } }), refused)
  await assert.rejects(staff.updatePetWithForm({ params, query: { status: "available" } }), refused)
  await assert.rejects(staff.deletePet({ params }), refused)

  await staff.updatePet({ body: { ...body, name: "Max" } })
  await staff.patchPet({ params, body: { status: "pending" } })
  assert.equal((await staff.updatePetWithForm({ params, query: { name: "Bo" } })).value.name, "Bo")
  assert.equal(await statusOf(petId), "pending")

  await free.deleteOrder({ params: { orderId } })
  await staff.patchPet({ params, body: { status: "sold" } })
  await staff.deletePet({ params })
})

test("an order of a deleted pet remains readable", async () => {
  const petId = await newPet(staff)
  const orderId = await newOrder(free, petId)
  await move(orderId, "approved")
  await move(orderId, "delivered")
  await staff.deletePet({ params: { petId } })
  assert.equal((await free.getOrderById({ params: { orderId } })).value.petId, petId)
})

test("the response for another user's order is byte for byte that for a missing order", async () => {
  const orderId = await newOrder(free, await newPet(staff))
  for (const method of ["GET", "DELETE"]) {
    const responses = await Promise.all([responseOf(method, orderId), responseOf(method, 987654321)])
    assert.deepEqual(responses[0], responses[1])
    assert.equal(responses[0]?.status, 404)
  }
  assert.equal((await free.getOrderById({ params: { orderId } })).value.status, "placed")
})

/** The response to another user, without the fields that identify the request. */
async function responseOf(method: string, orderId: number) {
  const response = await fetch(`${petstore.url}/api/v3/store/order/${orderId}`, {
    method,
    headers: { api_key: "pro-key" },
  })
  const { requestId, instance, ...problem } = (await response.json()) as Record<string, unknown>
  assert.ok(requestId && instance)
  return { status: response.status, names: [...response.headers.keys()].sort(), problem }
}

test("only staff approve and deliver orders", async () => {
  const orderId = await newOrder(free, await newPet(staff))
  const wish = { params: { orderId }, body: { status: "approved" as const } }
  await assert.rejects(free.patchOrder(wish), refusedAs("role-missing"))
  await assert.rejects(pro.patchOrder({ ...wish, params: { orderId: 987654321 } }), refusedAs("role-missing"))
  await assert.rejects(staff.patchOrder({ ...wish, params: { orderId: 987654321 } }), refusedAs("order-not-found"))
})

test("a list contains the caller's orders, for staff all orders, by status and pet, newest first, in pages", async () => {
  const petId = await newPet(staff)
  const cancelledLater = await newOrder(free, petId)
  const mine = (await free.listOrders()).value
  assert.ok(mine.length > 1 && mine[0]?.id === cancelledLater)
  assert.deepEqual((await pro.listOrders()).value, [])
  assert.deepEqual((await pro.listOrders({ query: { petId } })).value, [])
  assert.deepEqual(
    (await free.listOrders({ query: { petId } })).value.map(({ id }) => id),
    [cancelledLater],
  )
  const all = (await staff.listOrders()).value.map(({ id }) => id)
  assert.ok(all.length > mine.length && [1, 2, 3].every((id) => all.includes(id)))
  assert.deepEqual(
    (await staff.listOrders({ query: { status: ["delivered"], petId: 5 } })).value.map(({ id }) => id),
    [3],
  )
  for (const { status } of (await staff.listOrders({ query: { status: ["placed", "approved"] } })).value)
    assert.notEqual(status, "delivered")

  const paged: number[] = []
  let cursor: string | undefined
  do {
    const { value, headers } = await staff.listOrders({ query: { limit: 2, ...(cursor && { cursor }) } })
    paged.push(...value.map(({ id }) => id))
    cursor = /cursor=([^&>]+)/.exec(headers.get("link") ?? "")?.[1]
  } while (cursor)
  assert.deepEqual(paged, all)

  const first = await staff.listOrders({ query: { sort: "id", limit: 3 } })
  const rest = await staff.listOrders({ query: { sort: "id", cursor: nextCursor(first.headers) ?? "" } })
  assert.deepEqual(
    [...first.value, ...rest.value].map(({ id }) => id),
    all.toReversed(),
  )
  const otherOrder = { cursor: nextCursor(first.headers) ?? "" }
  await assert.rejects(staff.listOrders({ query: otherOrder }), refusedAs("invalid-parameter"))
})

test("a chosen order id is kept, a taken one is refused, and generated ids avoid both", async () => {
  const { value } = await free.placeOrder({ body: { id: 5_000, petId: await newPet(staff) } })
  assert.equal(value.id, 5_000)
  const petId = await newPet(staff)
  await assert.rejects(free.placeOrder({ body: { id: 5_000, petId } }), refusedAs("order-exists"))
  assert.equal(await statusOf(petId), "available")
  const next = await newOrder(free, petId)
  await free.placeOrder({ body: { id: next + 1, petId: await newPet(staff) } })
  assert.equal(await newOrder(free, await newPet(staff)), next + 2)
})

test("the same idempotency key places one order and returns it twice", async () => {
  const petId = await newPet(staff)
  const asked = { body: { petId }, idempotencyKey: `order ${petId}` }
  const { value: first } = await free.placeOrder(asked)
  const { value: again, headers } = await free.placeOrder(asked)
  assert.deepEqual(
    { again, "idempotency-replayed": headers.get("idempotency-replayed") },
    { again: first, "idempotency-replayed": "true" },
  )
  await assert.rejects(pro.placeOrder(asked), refusedAs("pet-not-available"))
})

test("every step of an order emits an event of its account, and its pet emits one when its status changes", async () => {
  const start = (await petstore.store.events.after(0, 1000)).at(-1)?.id ?? 0
  const petId = await newPet(staff)
  const first = await newOrder(free, petId)
  await free.deleteOrder({ params: { orderId: first } })
  const second = await newOrder(free, petId)
  await move(second, "approved")
  await move(second, "delivered")
  const events = (await petstore.store.events.after(start, 100)).map(({ json }) => JSON.parse(json))
  assert.deepEqual(
    events.map(({ event, data }) => [event, data.status]),
    [
      ["pet.created", "available"],
      ["pet.updated", "pending"],
      ["order.placed", "placed"],
      ["pet.updated", "available"],
      ["order.cancelled", "placed"],
      ["pet.updated", "pending"],
      ["order.placed", "placed"],
      ["order.approved", "approved"],
      ["pet.updated", "sold"],
      ["order.delivered", "delivered"],
    ],
  )
  assert.deepEqual(Object.keys(events[9]).sort(), ["data", "event", "timestamp"])
})

test("the sandbox starts with orders 1 to 3 and pets of matching status", async () => {
  await using fresh = await startPetstore()
  const { value } = await fresh.as("special-key").listOrders()
  assert.deepEqual(
    value.map(({ id, petId, status, complete }) => ({ id, petId, status, complete })),
    [
      { id: 3, petId: 5, status: "delivered", complete: true },
      { id: 2, petId: 6, status: "approved", complete: false },
      { id: 1, petId: 3, status: "placed", complete: false },
    ],
  )
  assert.deepEqual((await fresh.as("free-key").getInventory()).value, { available: 7, pending: 2, sold: 1 })
  await assert.rejects(fresh.as("free-key").getOrderById({ params: { orderId: 1 } }), refusedAs("order-not-found"))
})
