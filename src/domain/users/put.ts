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

/** Replaces a user as v2 does. For staff it creates an unknown user, and sets the password of a whole record that has another one. */
export function putUser({ updateUser, resetPassword, createUsersWithListInput }: UserOperations): AnyOperation {
  return async (context: Context, input) => {
    const { username } = input.params as { username: string }
    const record = { username, ...(input.body as UserReplacement) }
    const { caller, store, accept } = context
    if (!isStaff(caller)) return updateUser(context, input)
    const found = await store.users.byName(username)
    if (!found) return create(context, input, record)
    const { password, ...others } = record
    const isOwn = caller.ownerId === found.accountId
    if (isOwn || password === undefined || record.id !== found.user.id) return updateUser(context, input)
    if (accept(await isPasswordOf(context, found.user, password)))
      return updateUser(context, { ...input, body: others })
    return replaceWithPassword(context, input, record)
  }

  async function create(
    context: Context,
    input: AnyInput,
    { currentPassword: _, ...record }: UserReplacement,
  ): Promise<User> {
    const draft = context.valid(UserDraft, record)
    const [user] = (await createUsersWithListInput(context, { ...input, body: [draft] })) as [User]
    return user
  }

  /** The rules for a reset of the password apply. */
  function replaceWithPassword(context: Context, input: AnyInput, record: UserReplacement): Promise<unknown> {
    const { password, currentPassword, ...others } = record
    return context.store.transaction(async (tx) => {
      const inside = { ...context, store: joinTransaction(tx) }
      const user = await updateUser(inside, { ...input, body: { ...others, currentPassword } })
      const reset = { params: { username: record.username as string }, body: { password, currentPassword } }
      await resetPassword(inside, { ...input, ...reset })
      return user
    })
  }
}
