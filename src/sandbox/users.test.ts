import assert from "node:assert/strict"
import { test } from "node:test"
import type { Repositories } from "../domain/ports/store.ts"
import { addUsers, sampleHashes } from "./users.ts"

type Added = { user: { username: string; role: string }; accountId: number; passwordHash: string }

test("the users of the classic petstore and an administrator are added, each with an account and a hash of its own", async () => {
  let hashed = 0
  const hashes = sampleHashes({
    matches: () => assert.fail("nothing is compared"),
    async hash(password) {
      hashed++
      return `hash of ${password}`
    },
  })
  const added: Added[] = []
  const accounts: string[] = []
  let id = 0
  const tx = {
    users: { nextId: async () => ++id, add: async (one: Added) => added.push(one) },
    accounts: {
      add: async ({ name, plan }: { name: string; plan: string }) => ({ id: 100 + accounts.push(`${name} ${plan}`) }),
    },
  }
  await addUsers(tx as unknown as Repositories, await hashes())
  assert.deepEqual([await hashes(), hashed], [added.map(({ passwordHash }) => passwordHash), 11])
  assert.deepEqual(added[0], {
    user: {
      id: 1,
      username: "user1",
      firstName: "first name 1",
      lastName: "last name 1",
      email: "email1@test.com",
      phone: "123-456-7890",
      userStatus: 1,
      role: "customer",
    },
    accountId: 101,
    passwordHash: "hash of password1",
  })
  assert.deepEqual(
    added.slice(8).map(({ user: { username, role }, passwordHash }) => [username, role, passwordHash]),
    [
      ["user9", "customer", "hash of password9"],
      ["user10", "staff", "hash of password10"],
      ["admin", "admin", "hash of admin"],
    ],
  )
  assert.deepEqual([accounts.length, accounts[10]], [11, "admin free"])
})
