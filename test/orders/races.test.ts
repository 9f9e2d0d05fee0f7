import assert from "node:assert/strict"
import { test } from "node:test"
import { Refused } from "../../src/client/client.ts"
import { effort } from "../harness/effort.ts"
import { newOrder, newPet } from "../harness/samples.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const staff = petstore.as("special-key")

const deliver = (orderId: number) => staff.patchOrder({ params: { orderId }, body: { status: "delivered" } })

/** The result of each of several concurrent operations: "done" or the problem code; anything else fails. */
async function ends(operations: Promise<unknown>[]): Promise<string[]> {
  return Promise.all(
    operations.map((operation) =>
      operation.then(
        () => "done",
        (error: unknown) => {
          if (error instanceof Refused) return error.problem.code
          throw error
        },
      ),
    ),
  )
}

test("of 200 concurrent orders for one pet exactly one is placed (slow)", async () => {
  const petId = await newPet(staff)
  const outcomes = await ends(Array.from({ length: 200 }, () => staff.placeOrder({ body: { petId } })))
  assert.equal(outcomes.filter((outcome) => outcome === "done").length, 1)
  assert.equal(outcomes.filter((outcome) => outcome === "pet-not-available").length, 199)
  assert.equal((await staff.listOrders({ query: { petId } })).value.length, 1)
})

test("of a concurrent order and deletion of a pet exactly one succeeds", async () => {
  for (let n = 0; n < effort(20, 8); n++) {
    const petId = await newPet(staff)
    const racing = [() => staff.placeOrder({ body: { petId } }), () => staff.deletePet({ params: { petId } })]
    const inTurn = n % 2 ? racing : racing.toReversed()
    const outcomes = await ends(inTurn.map((start) => start()))
    const [ordered, deleted] = (n % 2 ? outcomes : outcomes.toReversed()) as [string, string]
    assert.ok(
      (ordered === "done" && deleted === "pet-has-open-order") || (ordered === "invalid-body" && deleted === "done"),
      `${ordered}, ${deleted}`,
    )
    assert.equal((await staff.listOrders({ query: { petId } })).value.length, ordered === "done" ? 1 : 0)
  }
})

test("of a concurrent order and change of a pet's status exactly one succeeds", async () => {
  for (let n = 0; n < effort(20, 8); n++) {
    const petId = await newPet(staff)
    const racing = [
      () => staff.placeOrder({ body: { petId } }),
      () => staff.patchPet({ params: { petId }, body: { status: "sold" } }),
    ]
    const outcomes = await ends((n % 2 ? racing : racing.toReversed()).map((start) => start()))
    const [ordered, changed] = (n % 2 ? outcomes : outcomes.toReversed()) as [string, string]
    const { status } = (await staff.getPetById({ params: { petId } })).value
    assert.ok(
      (ordered === "done" && changed === "pet-has-open-order" && status === "pending") ||
        (ordered === "pet-not-available" && changed === "done" && status === "sold"),
      `${ordered}, ${changed}, ${status}`,
    )
  }
})

test("concurrent deliveries of an order deliver it once, with one event", async () => {
  const orderId = await newOrder(staff)
  await staff.patchOrder({ params: { orderId }, body: { status: "approved" } })
  const start = (await petstore.store.events.after(0, 10_000)).at(-1)?.id ?? 0
  const outcomes = await ends(Array.from({ length: 10 }, () => deliver(orderId)))
  assert.deepEqual(
    outcomes.toSorted(),
    ["done", ...Array.from({ length: 9 }, () => "order-status-conflict")].toSorted(),
  )
  const events = (await petstore.store.events.after(start, 100)).map(({ json }) => JSON.parse(json).event)
  assert.deepEqual(events, ["pet.updated", "order.delivered"])
})

test("delivering and cancelling an order concurrently leaves a pet of matching status", async () => {
  for (let n = 0; n < effort(20, 8); n++) {
    const petId = await newPet(staff)
    const orderId = await newOrder(staff, petId)
    await staff.patchOrder({ params: { orderId }, body: { status: "approved" } })
    const racing = [() => deliver(orderId), () => staff.deleteOrder({ params: { orderId } })]
    const outcomes = await ends((n % 2 ? racing : racing.toReversed()).map((start) => start()))
    const [delivered, cancelled] = n % 2 ? outcomes : outcomes.toReversed()
    assert.equal(cancelled, "done")
    const { status } = (await staff.getPetById({ params: { petId } })).value
    assert.equal(status, delivered === "done" ? "sold" : "available")
  }
})
