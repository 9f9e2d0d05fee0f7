import assert from "node:assert/strict"
import { test } from "node:test"
import { openVisit } from "../../../../../test/harness/visit.ts"
import { Problem } from "../../../../kernel/problem.ts"
import { newUserPage } from "./new-user.ts"

/** Adds a user with an operation that responds like this. */
function add(response: object) {
  const { visit, called } = openVisit({ calls: { createUsersWithListInput: response } })
  const fields = { username: "a b", password: "secret", email: "" }
  return { called, done: newUserPage.actions?.add?.(visit, new URLSearchParams(fields)) }
}

test("a user is added as the only one of a list, and shown", async () => {
  const { done, called } = add({ value: [{ username: "a b" }] })
  assert.deepEqual(await done, { to: "/users/named/a%20b", notice: "a b was added" })
  assert.deepEqual(called, [["createUsersWithListInput", { body: [{ username: "a b", password: "secret" }] }]])
})

test("a refusal is about the user, not about an item of a list", async () => {
  const violation = (pointer: string) => ({ pointer, code: "x", detail: "is wrong" })
  const inAddress = { parameter: "/0/a", code: "x", detail: "is wrong" }
  const refusal = new Problem("invalid-body", "0.username is wrong; 0.email too", {
    violations: [violation("/0/username"), violation("/0"), violation("/1/0/a"), inAddress],
    retryAfter: 7,
  })
  await assert.rejects(async () => add(refusal).done, {
    code: "invalid-body",
    detail: "username is wrong; 0.email too",
    violations: [violation("/username"), violation("/0"), violation("/1/0/a"), inAddress],
    retryAfter: 7,
  })
  const bug = new Error("a bug")
  await assert.rejects(
    async () => add(bug).done,
    (error) => error === bug,
  )
})
