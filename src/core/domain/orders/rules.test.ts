import assert from "node:assert/strict"
import { test } from "node:test"
import { principalOf } from "../../../../test/harness/principal.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Caller } from "../accounts/model.ts"
import type { Pet } from "../pets/contract.ts"
import type { Role } from "../scopes.ts"
import { type Order, orderStatuses } from "./contract.ts"
import { checkOrderLimit, composeOrder, moveOrder, petStatusOf, requireAvailable, requireOrder } from "./rules.ts"

const pet: Pet = { id: 7, name: "Rex", photoUrls: [], tags: [], status: "available" }

test("every ship date is returned in RFC 3339 and denotes the same time", () => {
  for (const [given, returned] of [
    ["2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.678Z"],
    ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"],
    ["2026-01-02t03:04:05z", "2026-01-02T03:04:05Z"],
    ["2026-01-02 03:04:05+01:30", "2026-01-02T03:04:05+01:30"],
    ["2026-01-02T03:04:05-0800", "2026-01-02T03:04:05-08:00"],
    ["2026-01-02T03:04:05+01", "2026-01-02T03:04:05+01:00"],
  ]) {
    const order = composeOrder({ petId: 7, shipDate: given as string }, 1)
    assert.equal(order.shipDate, returned)
  }
})

test("an order moves from placed to approved to delivered, and nowhere else", () => {
  const allowed = orderStatuses.flatMap((status) =>
    orderStatuses.flatMap((to) => {
      const order: Order = { id: 1, petId: 7, quantity: 1, status, complete: status === "delivered" }
      const moved = moveOrder(order, to)
      return moved instanceof Problem
        ? []
        : [{ from: status, to: moved.status, complete: moved.complete, pet: petStatusOf(moved) }]
    }),
  )
  assert.deepEqual(allowed, [
    { from: "placed", to: "approved", complete: false, pet: "pending" },
    { from: "approved", to: "delivered", complete: true, pet: "sold" },
  ])
})

const detailOf = (outcome: unknown) => (outcome instanceof Problem ? outcome.detail : outcome)

test("an order is placed, for one pet unless the client says otherwise, of a pet that is available", () => {
  const order = { id: 1, petId: 7, quantity: 1, status: "placed", complete: false }
  assert.deepEqual(composeOrder({ petId: 7 }, 1), order)
  assert.deepEqual(composeOrder({ petId: 7, quantity: 3, status: "approved", complete: true }, 1), {
    ...order,
    quantity: 3,
  })
  assert.equal(detailOf(requireAvailable(pet)), true)
  assert.equal(detailOf(requireAvailable({ ...pet, status: "pending" })), "Pet 7 is pending, not available")
})

test("the refusal of a status says which one the order can have next", () => {
  const from = (status: Order["status"]) =>
    detailOf(moveOrder({ id: 1, petId: 7, quantity: 1, status, complete: false }, "placed"))
  assert.deepEqual(orderStatuses.map(from), [
    "Order 1 is placed and can only become approved",
    "Order 1 is approved and can only become delivered",
    "Order 1 is delivered and cannot change",
  ])
})

test("customers find their own orders, and staff those of all", () => {
  const { caller } = principalOf(7)
  const person = (role: Role): Caller => ({ ...caller, user: { id: 1, username: "a", role, accountId: 7 } })
  const [own, other] = [{ accountId: 7 }, { accountId: 8 }]
  for (const [by, found] of [
    [caller, [own, "Order not found", "Order not found"]],
    [person("customer"), [own, "Order not found", "Order not found"]],
    [person("staff"), [own, other, "Order not found"]],
  ] as const)
    assert.deepEqual(
      [own, other, undefined].map((order) => detailOf(requireOrder(order, by))),
      found,
    )
})

test("a customer has at most so many open orders", () => {
  const refused = "You have 3 undelivered orders; place another one when some have been delivered"
  assert.deepEqual(
    [2, 3].map((open) => detailOf(checkOrderLimit(open, 3))),
    [2, refused],
  )
})
