import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../kernel/problem.ts"
import type { Pet } from "../pets/contract.ts"
import { type Order, orderStatuses } from "./contract.ts"
import { composeOrder, moveOrder, petStatusOf } from "./rules.ts"

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
    const order = composeOrder(pet, { petId: 7, shipDate: given as string }, 1)
    assert.equal(order instanceof Problem ? order : order.shipDate, returned)
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
