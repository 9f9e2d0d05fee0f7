import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { Refused } from "../../src/client/client.ts"
import type { OrderStatus } from "../../src/core/domain/orders/contract.ts"
import type { PetStatus } from "../../src/core/domain/pets/contract.ts"
import { effort } from "../harness/effort.ts"
import { newOrder, newPet } from "../harness/samples.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const staff = petstore.as("special-key")

/** The expected state: the pets of this run with their status, and the orders for them. */
type Model = { pets: Map<number, PetStatus>; orders: Map<number, { petId: number; status: OrderStatus }> }
type Real = { inventory: Record<PetStatus, number> }
type Command = fc.AsyncCommand<Model, Real>

const petStatuses = ["available", "pending", "sold"] as const

/** The code an operation was refused with; undefined when it succeeded. */
const refusalOf = async (operation: Promise<unknown>): Promise<string | undefined> =>
  operation.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Refused) return error.problem.code
      throw error
    },
  )

const nth = <T>(of: Iterable<T>, n: number): T | undefined => {
  const all = [...of]
  return all.length > 0 ? all[n % all.length] : undefined
}

const openFor = (model: Model, petId: number) =>
  [...model.orders.values()].some((order) => order.petId === petId && order.status !== "delivered")

/** A pet with an approved order, which few histories would reach otherwise. */
async function startModel(): Promise<Model> {
  const petId = await newPet(staff)
  const orderId = await newOrder(staff, petId)
  await staff.patchOrder({ params: { orderId }, body: { status: "approved" } })
  return { pets: new Map([[petId, "pending"]]), orders: new Map([[orderId, { petId, status: "approved" }]]) }
}

/** A step with its name and its effect on both; afterwards everything observable must agree. */
const command = (name: string, act: (model: Model) => Promise<void>): Command => ({
  check: () => true,
  toString: () => name,
  async run(model, real) {
    await act(model)
    await assertAgreement(model, real)
  },
})

const create = (status: PetStatus) =>
  command(`create ${status}`, async (model) => {
    const { value } = await staff.addPet({ body: { name: "Rex", photoUrls: [], status } })
    model.pets.set(value.id, status)
  })

const order = (n: number) =>
  command(`order pet #${n}`, async (model) => {
    const petId = nth(model.pets.keys(), n) ?? 987_654_321
    const placing = staff.placeOrder({ body: { petId } })
    const wanted = { available: undefined, pending: "pet-not-available", sold: "pet-not-available" }
    const status = model.pets.get(petId)
    assert.equal(await refusalOf(placing), status === undefined ? "invalid-body" : wanted[status])
    if (status !== "available") return
    model.orders.set((await placing).value.id, { petId, status: "placed" })
    model.pets.set(petId, "pending")
  })

const move = (n: number, to: OrderStatus) =>
  command(`move order #${n} to ${to}`, async (model) => {
    const orderId = nth(model.orders.keys(), n) ?? 987_654_321
    const found = model.orders.get(orderId)
    const refused = await refusalOf(staff.patchOrder({ params: { orderId }, body: { status: to } }))
    const allowed = found && { placed: "approved", approved: "delivered", delivered: undefined }[found.status] === to
    assert.equal(refused, found === undefined ? "order-not-found" : allowed ? undefined : "order-status-conflict")
    if (!found || !allowed) return
    found.status = to
    if (to === "delivered") model.pets.set(found.petId, "sold")
  })

const cancel = (n: number) =>
  command(`cancel order #${n}`, async (model) => {
    const orderId = nth(model.orders.keys(), n) ?? 987_654_321
    const found = model.orders.get(orderId)
    const refused = await refusalOf(staff.deleteOrder({ params: { orderId } }))
    assert.equal(refused, found ? undefined : "order-not-found")
    if (found && found.status !== "delivered") model.pets.set(found.petId, "available")
    model.orders.delete(orderId)
  })

const update = (n: number, status: PetStatus) =>
  command(`make pet #${n} ${status}`, async (model) => {
    const petId = nth(model.pets.keys(), n)
    if (petId === undefined) return
    const pinned = openFor(model, petId) && status !== model.pets.get(petId)
    const refused = await refusalOf(staff.patchPet({ params: { petId }, body: { status } }))
    assert.equal(refused, pinned ? "pet-has-open-order" : undefined)
    if (!pinned) model.pets.set(petId, status)
  })

const remove = (n: number) =>
  command(`delete pet #${n}`, async (model) => {
    const petId = nth(model.pets.keys(), n)
    if (petId === undefined) return
    const refused = await refusalOf(staff.deletePet({ params: { petId } }))
    assert.equal(refused, openFor(model, petId) ? "pet-has-open-order" : undefined)
    if (refused === undefined) model.pets.delete(petId)
  })

async function assertAgreement(model: Model, { inventory }: Real): Promise<void> {
  const expected = { ...inventory }
  for (const [petId, status] of model.pets) {
    expected[status]++
    assert.equal((await staff.getPetById({ params: { petId } })).value.status, status)
  }
  assert.deepEqual((await staff.getInventory()).value, expected)
  for (const [orderId, { petId, status }] of model.orders) {
    const { value } = await staff.getOrderById({ params: { orderId } })
    assert.deepEqual(
      { petId: value.petId, status: value.status, complete: value.complete },
      { petId, status, complete: status === "delivered" },
    )
  }
}

test("pets, orders and inventory agree after every step of any history", async () => {
  const n = fc.nat({ max: 4 })
  const commands = fc.commands(
    [
      fc.constantFrom(...petStatuses).map(create),
      n.map(order),
      n.map(order),
      fc
        .tuple(n, fc.constantFrom("placed", "approved", "approved", "delivered", "delivered"))
        .map(([n, to]) => move(n, to)),
      n.map(cancel),
      fc.tuple(n, fc.constantFrom(...petStatuses)).map(([n, status]) => update(n, status)),
      n.map(remove),
    ],
    { maxCommands: 40 },
  )
  await fc.assert(
    fc.asyncProperty(commands, async (history) => {
      const { value: inventory } = await staff.getInventory()
      const model = await startModel()
      await fc.asyncModelRun(() => ({ model, real: { inventory } }), history)
    }),
    { numRuns: effort(60, 15) },
  )
})
