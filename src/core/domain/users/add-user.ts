import { addUnderId } from "../add-under-id.ts"
import type { ContextPart } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import type { User, UserDraft } from "./contract.ts"
import { newUser, toUser } from "./rules.ts"

/** What becomes of a user whose id is taken: refused, or given another id, as v2 does. */
export type TakenId = "refused" | "replaced"

/** Adds a user and their account; refused when the name is taken, and when the id is, unless it is replaced. */
export async function addUser(
  ctx: ContextPart<never, "user-exists", "user.created">,
  tx: Repositories,
  draft: UserDraft,
  passwordHash: string,
  takenId: TakenId,
): Promise<User> {
  const account = await tx.accounts.add({ name: draft.username, plan: "free" })
  const add = (requested: number | undefined) =>
    addUnderId(requested, tx.users.nextId, async (id) => {
      if (await tx.users.byName(draft.username)) ctx.refuse("user-exists", nameTaken(draft.username))
      const user = newUser(draft, id)
      return (await tx.users.add({ user, accountId: account.id, passwordHash })) ? user : undefined
    })
  const user = (await add(draft.id)) ?? (takenId === "replaced" ? await add(undefined) : undefined)
  if (!user) return ctx.refuse("user-exists", idTaken(draft.id))
  ctx.audit("user.created", `user:${user.id}`, { details: { account: account.id } })
  return toUser(user)
}

const idTaken = (id: number | undefined): string => `The id ${id} is not available; omit it to get a new one`

/** The detail of `user-exists` for a username. */
export const nameTaken = (username: string): string => `The username ${username} is taken`
