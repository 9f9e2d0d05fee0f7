import assert from "node:assert/strict"
import { test } from "node:test"
import { principalOf } from "../../../../test/harness/principal.ts"
import { type Role, roleNames } from "../scopes.ts"
import type { Caller } from "./model.ts"
import { isAtLeast, isStaff } from "./rules.ts"

const { caller } = principalOf(1)
const person = (role: Role): Caller => ({ ...caller, user: { id: 1, username: "a", role, accountId: 1 } })

test("staff is every role but that of a customer; a program with the scope admin is an admin", () => {
  const ranks = [
    person("customer"),
    person("staff"),
    person("admin"),
    caller,
    { ...caller, scopes: new Set(["admin" as const]) },
  ]
  assert.deepEqual(ranks.map(isStaff), [false, true, true, false, true])
  assert.deepEqual(
    ranks.map((each) => roleNames.filter((role) => isAtLeast(each, role)).length),
    [1, 2, 3, 1, 3],
  )
  const limited = { ...person("customer"), scopes: new Set(["admin" as const]) }
  assert.equal(isStaff(limited), false, "the role of a person decides")
})
