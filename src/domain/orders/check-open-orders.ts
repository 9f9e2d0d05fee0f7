import { isStaff } from "../accounts/rules.ts"
import type { Part } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import { checkRoom } from "./rules.ts"

/** A problem when a customer has as many open orders as they may; staff, and credentials of staff, may have more. */
export async function checkOpenOrders({ caller, policy }: Part<"caller" | "policy">, tx: Repositories) {
  const { openOrdersMax: max } = policy
  if (max === undefined || isStaff(caller)) return undefined
  const { userId } = caller.bounds
  const person = userId === undefined ? undefined : await tx.users.byId(userId)
  if (person && isStaff({ ...caller, user: person.user })) return undefined
  return checkRoom(await tx.orders.countOpen(caller.ownerId, max), max)
}
