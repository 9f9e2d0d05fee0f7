import assert from "node:assert/strict"
import { test } from "node:test"
import { openVisit, rowsOf } from "../../../../../test/harness/visit.ts"
import { Problem } from "../../../../kernel/problem.ts"
import { usersPage } from "./users.ts"

const user = (id: number) => ({ id, username: `user${id}` })

/** The rows of the list of users, where user 2 has lost their role in the meantime, and what was called. */
async function shown(query: string, refusals: Record<string, Problem> = {}) {
  const calls = {
    listUsers: { value: [{ ...user(1), firstName: "Ada", email: "a@b.example" }, user(2)], next: "c2" },
    listRoles: { value: [{ id: 1, role: "staff" }] },
    getUserByName: { value: user(3) },
    getRole: { value: { role: "customer" } },
    ...refusals,
  }
  const { visit, called } = openVisit({ path: "/users", query, calls })
  const { text } = await usersPage.show(visit)
  return {
    called,
    rows: rowsOf(text).map((cells) => cells.map((cell) => cell?.replace(/<[^>]*>/g, ""))),
    isLast: !text.includes("Next page"),
    request: /<code>(GET [^<]*)</.exec(text)?.[1],
    empty: /<p class="empty">(.*?) </.exec(text)?.[1],
  }
}

test("the list has the users whose role is known, with the next page", async () => {
  const asked = [
    ["listUsers", { query: { sort: "-id", limit: 25 } }],
    ["listRoles", { query: { sort: "-id", limit: 25 } }],
  ]
  const { called, rows, isLast, request } = await shown("sort=-id&username=")
  assert.deepEqual([called, isLast, request], [asked, false, "GET /api/v3/listUsers"])
  assert.deepEqual(rows, [["user1", "Ada ", "a@b.example", "staff", "1"]])
})

test("a user is found by the exact name, without the spaces around it", async () => {
  const params = { username: "user3" }
  const { called, rows, isLast, request } = await shown("username=+user3+")
  assert.deepEqual(called, [
    ["getUserByName", { params }],
    ["getRole", { params }],
  ])
  assert.deepEqual([rows, isLast, request], [[["user3", " ", "", "customer", "3"]], true, "GET /api/v3/getUserByName"])
  const all = await shown("username=+")
  assert.equal(all.called[0]?.[0], "listUsers")
})

test("a search for an unknown name finds nothing, and neither does one for a user who was just deleted", async () => {
  const gone = new Problem("user-not-found", "No")
  const none = { rows: [], isLast: true, empty: "No user has this name." }
  const unknown = await shown("username=x", { getUserByName: gone })
  assert.deepEqual(unknown, { ...none, called: [["getUserByName", { params: { username: "x" } }]], request: undefined })
  const { called: _, ...deleted } = await shown("username=x", { getRole: gone })
  assert.deepEqual(deleted, { ...none, request: "GET /api/v3/getUserByName" })
  const unavailable = new Problem("unavailable", "No")
  await assert.rejects(shown("username=x", { getRole: unavailable }), { code: "unavailable" })
})
