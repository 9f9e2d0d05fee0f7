import { hash } from "node:crypto"
import type { Passwords } from "../../../core/domain/ports/passwords.ts"
import type { Repositories } from "../../../core/domain/ports/store.ts"
import { newUser } from "../../../core/domain/users/rules.ts"
import { lastClientId } from "./animals.ts"

/** The users of the classic petstore: user1 with the password password1, and so on to user10. */
const classicDrafts = Array.from({ length: 10 }, (_, n) => ({
  username: `user${n + 1}`,
  firstName: `first name ${n + 1}`,
  lastName: `last name ${n + 1}`,
  email: `email${n + 1}@test.com`,
  phone: "123-456-7890",
  password: `password${n + 1}`,
  userStatus: 1,
}))

/** A user of each role, for everyone to sign in as. */
export const samplePeople = [
  { role: "customer", username: "user1", password: "password1" },
  { role: "staff", username: "user10", password: "password10" },
  // In the account of the first key, so that what is made with it on the command line is in view.
  { role: "admin", username: "admin", password: "admin", account: 1 },
] as const

const drafts = [...classicDrafts, { username: "admin", password: "admin" }]

/** Hashes their passwords at the first call, once, and equally in every process: a sandbox that outlives one still has its seed. */
export function sampleHashes(passwords: Passwords): () => Promise<string[]> {
  let hashing: Promise<string[]> | undefined
  return () => (hashing ??= Promise.all(drafts.map(hashOf)))

  function hashOf({ username, password }: (typeof drafts)[number]): Promise<string> {
    return passwords.hash(password, hash("sha256", username, "buffer").subarray(0, saltBytes))
  }
}

const saltBytes = 16

/** Adds the users, each with an account on the Free plan. */
export async function addUsers(tx: Repositories, hashes: string[]): Promise<void> {
  await tx.users.continueIdsAfter(lastClientId)
  for (const [n, draft] of drafts.entries()) {
    const id = await tx.users.nextId()
    const account = await tx.accounts.add({ name: draft.username, plan: "free" })
    const user = newUser(draft, id)
    const { role } = samplePeople.find(({ username }) => username === user.username) ?? user
    await tx.users.add({
      user: { ...user, role },
      accountId: account.id,
      passwordHash: hashes[n] as string,
    })
  }
}
