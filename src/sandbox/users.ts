import type { Passwords } from "../domain/ports/passwords.ts"
import type { Repositories } from "../domain/ports/store.ts"
import { newUser } from "../domain/users/rules.ts"

/** The users of the classic petstore: user1 with the password password1, and so on to user10. */
const drafts = Array.from({ length: 10 }, (_, n) => ({
  username: `user${n + 1}`,
  firstName: `first name ${n + 1}`,
  lastName: `last name ${n + 1}`,
  email: `email${n + 1}@test.com`,
  phone: "123-456-7890",
  password: `password${n + 1}`,
  userStatus: 1,
}))

/** A member of staff, who may grant applications scopes that customers may not. */
export const sampleStaff = { username: "user10", password: "password10" }

/** Hashes their passwords at the first call, once. */
export function sampleHashes(passwords: Passwords): () => Promise<string[]> {
  let hashing: Promise<string[]> | undefined
  return () => (hashing ??= Promise.all(drafts.map(({ password }) => passwords.hash(password))))
}

/** Adds the users, each with an account on the Free plan. */
export async function addUsers(tx: Repositories, hashes: string[]): Promise<void> {
  for (const [n, draft] of drafts.entries()) {
    const id = await tx.users.nextId()
    const account = await tx.accounts.add({ name: `user ${id}`, plan: "free" })
    const user = newUser(draft, id)
    await tx.users.add({
      user: user.username === sampleStaff.username ? { ...user, role: "staff" } : user,
      accountId: account.id,
      passwordHash: hashes[n] as string,
    })
  }
}
