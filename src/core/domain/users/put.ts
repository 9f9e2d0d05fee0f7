import { isStaff } from "../accounts/rules.ts"
import type { ApiContract } from "../api.ts"
import type { AnyInput, AnyOperation, Context } from "../context.ts"
import { joinTransaction } from "../join-transaction.ts"
import { isPasswordOf } from "./confirmation.ts"
import { type User, UserDraft, type UserReplacement } from "./contract.ts"

type UserOperations = Pick<
  Record<keyof ApiContract, AnyOperation>,
  "updateUser" | "resetPassword" | "createUsersWithListInput"
>

/** Replaces a user as v2 does, who keeps the id. For staff it creates an unknown user, and sets another password. */
export function putUser({ updateUser, resetPassword, createUsersWithListInput }: UserOperations): AnyOperation {
  return async (context: Context, input) => {
    const { username } = input.params as { username: string }
    const sent = input.body as UserReplacement
    const { id: _, ...record } = sent
    const update = (body: UserReplacement, within = context) => updateUser(within, { ...input, body })
    const { caller, store, accept } = context
    if (!isStaff(caller)) return update(record)
    const found = await store.users.byName(username)
    if (!found) return create(context, input, { ...sent, username })
    const { password, ...others } = record
    if (caller.ownerId === found.accountId || password === undefined) return update(record)
    if (accept(await isPasswordOf(context, found.user, password))) return update(others)
    // The rules for a reset of the password apply.
    return store.transaction(async (tx) => {
      const inside = { ...context, store: joinTransaction(tx) }
      const user = await update(others, inside)
      const params = { username: others.username ?? username }
      await resetPassword(inside, { ...input, params, body: { password, currentPassword: others.currentPassword } })
      return user
    })
  }

  async function create(
    context: Context,
    input: AnyInput,
    { currentPassword: _, ...record }: UserReplacement,
  ): Promise<User> {
    if (context.preconditions.ifMatch !== undefined) context.refuse("user-not-found")
    const draft = context.valid(UserDraft, record)
    const [user] = (await createUsersWithListInput(context, { ...input, body: [draft] })) as [User]
    return user
  }
}
