import assert from "node:assert/strict"
import { test } from "node:test"
import { factsOf, openVisit } from "../../../../../test/harness/visit.ts"
import { recordForm, recordOf, userFacts, usernameOf } from "./user-record.ts"

const named = { username: "kim" }

test("a page is about the user of its address, or about the signed-in one", () => {
  const pages = [{}, named].map((params) => openVisit({ params }).visit)
  assert.deepEqual(pages.map(usernameOf), ["ada", "kim"])
  assert.deepEqual(pages.map(recordOf), [
    { to: "/profile", label: "Your profile" },
    { to: "/users/named/kim", label: "kim" },
  ])
})

test("a record keeps what its form does not show, and leads to the page of the user or of the profile", async () => {
  const saved = async (params: { username?: string }) => {
    const calls = {
      getUserByName: { value: { id: 4, username: "kim", userStatus: 1, email: "old@a.example" } },
      updateUser: { value: { username: "new kim" } },
    }
    const { visit, called } = openVisit({ params, calls })
    const done = await recordForm.actions.save?.(visit, new URLSearchParams({ username: "new kim", email: "" }))
    return [done, ...called]
  }
  const asked = (username: string) => [
    ["getUserByName", { params: { username } }],
    ["updateUser", { params: { username }, body: { id: 4, userStatus: 1, username: "new kim" } }],
  ]
  const done = { to: "/users/named/new%20kim", notice: "new kim was saved" }
  assert.deepEqual(await saved(named), [done, ...asked("kim")])
  assert.deepEqual(await saved({}), [{ to: "/profile", notice: "Your profile was saved" }, ...asked("ada")])
})

test("the facts about a user have the parts of the name that there are", () => {
  const nameOf = (names: object) => factsOf(userFacts({ id: 4, username: "kim", userStatus: 0, ...names }).text).Name
  const [firstName, lastName] = ["Kim", "Lee"]
  assert.deepEqual([nameOf({ firstName, lastName }), nameOf({ lastName }), nameOf({})], ["Kim Lee", "Lee", undefined])
})
