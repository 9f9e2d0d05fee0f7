import { addUnderId } from "../add-under-id.ts"
import type { ContextPart } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import type { User, UserDraft } from "./contract.ts"
import { newUser, toUser } from "./rules.ts"

/** Adds a user and their account; refused when the name or the id is taken. */
export async function addUser(
  ctx: ContextPart<never, "user-exists", "user.created">,
  tx: Repositories,
  draft: UserDraft,
  passwordHash: string,
): Promise<User> {
  const added = await addUnderId(draft.id, tx.users.nextId, async (id) => {
    if (await tx.users.byName(draft.username)) ctx.refuse("user-exists", nameTaken(draft.username))
    const user = newUser(draft, id)
    const account = await tx.accounts.add({ name: draft.username, plan: "free" })
    return (await tx.users.add({ user, accountId: account.id, passwordHash }))
      ? { user, accountId: account.id }
      : undefined
  })
  if (!added) return ctx.refuse("user-exists", idTaken(draft.id))
  ctx.audit("user.created", `user:${added.user.id}`, { details: { account: added.accountId } })
  return toUser(added.user)
}

const idTaken = (id: number | undefined): string => `The id ${id} is not available; omit it to get a new one`

/** The detail of `user-exists` for a username. */
export const nameTaken = (username: string): string => `The username ${username} is taken`
