import assert from "node:assert/strict"
import { test } from "node:test"
import { refusedAs } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const staff = petstore.as("special-key")
const password = "correct horse"

test("concurrent registrations of one name create one user", async () => {
  const tries = Array.from({ length: 8 }, (_, n) =>
    staff.createUser({ body: { username: n % 2 ? "Same.Name" : "same.name", password } }),
  )
  const outcomes = await Promise.allSettled(tries)
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1)
  for (const outcome of outcomes)
    if (outcome.status === "rejected") assert.ok(refusedAs("user-exists")(outcome.reason), String(outcome.reason))
})
