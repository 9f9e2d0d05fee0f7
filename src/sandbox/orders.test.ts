import assert from "node:assert/strict"
import { test } from "node:test"
import { ordersFor } from "./orders.ts"

test("each animal that is not available has an order of one of ten users, one after the other", () => {
  const status = (...statuses: ("available" | "pending" | "sold")[]) =>
    statuses.map((each) => ({ category: "Dogs", name: "a", tags: [], picture: "dog-1", status: each }))
  const some = ordersFor(
    status("available", "pending", "sold", "pending", "available", "pending", "pending", "pending"),
  )
  assert.deepEqual(some, [
    { petId: 2, username: "user1", status: "placed" },
    { petId: 3, username: "user2", status: "delivered" },
    { petId: 4, username: "user3", status: "approved" },
    { petId: 6, username: "user4", status: "approved" },
    { petId: 7, username: "user5", status: "placed" },
    { petId: 8, username: "user6", status: "placed" },
  ])
  const eleven = ordersFor(status(...Array<"sold">(11).fill("sold")))
  assert.deepEqual([eleven[9]?.username, eleven[10]?.username], ["user10", "user1"])
})
