import type { Caller } from "../accounts/contract.ts"
import { isStaff } from "../accounts/rules.ts"
import type { Context, Refuse } from "../context.ts"
import type { Pet, PetStatus } from "../pets/contract.ts"
import { petEventData } from "../pets/rules.ts"
import type { LockedPet } from "../pets/store.ts"
import type { Repositories } from "../ports.ts"
import type { CancelReason, Order, orders } from "./contract.ts"
import { checkRoom, maySee } from "./rules.ts"

/** The order, when there is one and the caller may see it: somebody else's is like none. */
export function requireOrder<Found extends { accountId: number }>(
  ctx: { caller: Caller; refuse: Refuse<"order-not-found"> },
  found: Found | undefined,
): Found {
  return found && maySee(ctx.caller, found) ? found : ctx.refuse("order-not-found", "Order not found")
}

type Placing = Pick<Context<typeof orders.placeOrder>, "caller" | "policy" | "accept">

/** Refuses an order of a customer who has as many open ones as they may; staff and what rests on staff may have more. */
export async function requireRoomForOrder({ caller, policy, accept }: Placing, tx: Repositories): Promise<void> {
  const { openOrdersMax: max } = policy
  if (max === undefined || isStaff(caller)) return
  const { userId } = caller.bounds
  const person = userId === undefined ? undefined : await tx.users.byId(userId)
  if (person && isStaff({ ...caller, user: person.user })) return
  accept(checkRoom(await tx.orders.countOpen(caller.ownerId, max), max))
}

/** Gives the pet of an order the status that follows from it, and announces that. */
export async function setPetStatus(
  ctx: Pick<Context, "clock">,
  tx: Repositories,
  pet: Pet,
  status: PetStatus,
): Promise<void> {
  if (pet.status === status) return
  const moved = { ...pet, status }
  await tx.pets.put(moved)
  await tx.events.add("pet.updated", petEventData(moved), ctx.clock.now())
}

/** Removes an order that is not delivered: its pet is available again. */
export async function cancelOrder(
  ctx: Pick<Context, "clock">,
  tx: Repositories,
  order: Order,
  accountId: number,
  reason: CancelReason,
): Promise<void> {
  await tx.orders.remove(order.id)
  await setPetStatus(ctx, tx, await lockPetOf(tx, order), "available")
  await tx.events.add("order.cancelled", { ...order, reason }, ctx.clock.now(), accountId)
}

/** The pet of an open order, which is there because the order pins it, held until the transaction ends. */
export async function lockPetOf(tx: Repositories, { petId }: { petId: number }): Promise<Pet> {
  const { pet } = (await tx.pets.lock(petId)) as LockedPet
  return pet
}
