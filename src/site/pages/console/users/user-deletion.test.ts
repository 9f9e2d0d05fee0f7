import assert from "node:assert/strict"
import { test } from "node:test"
import { openVisit } from "../../../../../test/harness/visit.ts"
import { ownDeletionPage, userDeletionPage } from "./user-deletion.ts"

test("a user is deleted from the list, and the signed-in one from the profile", async () => {
  const deleted = async (page: typeof ownDeletionPage, params: { username?: string }) => {
    const { visit, called } = openVisit({ params, calls: { deleteUser: {} } })
    return [await page.actions?.delete?.(visit, new URLSearchParams({ currentPassword: "p" })), ...called]
  }
  const asked = (username: string) => ["deleteUser", { params: { username }, body: { currentPassword: "p" } }]
  assert.deepEqual(await deleted(userDeletionPage, { username: "kim" }), [
    { to: "/users", notice: "kim was deleted" },
    asked("kim"),
  ])
  assert.deepEqual(await deleted(ownDeletionPage, {}), [{ to: "/", notice: "Your user was deleted" }, asked("ada")])
})
