import { together } from "../../kernel/flow/together.ts"
import { at } from "../../kernel/problem.ts"
import { isStaff } from "../accounts/rules.ts"
import { addUnderId } from "../add-under-id.ts"
import type { ContextPart, Verb } from "../context.ts"
import { savePet } from "../pets/save-pet.ts"
import type { LockedPet } from "../pets/store.ts"
import type { Repositories } from "../ports/store.ts"
import { checkOrderLimit, composeOrder, petStatusOf, requireAvailable } from "./rules.ts"

export const placeOrder = placing((ctx, found = ctx.refuse("invalid-body", noSuchPet)) => {
  ctx.accept(requireAvailable(found.pet))
  return found
})

/** As v2 has it: an order for a pet that is not available or does not exist is stored, and reserves none. */
export const placeOrderInV2 = placing((_, found) => (found?.pet.status === "available" ? found : undefined))

type Placing = Verb<"placeOrder">

/** Adds an order that reserves the pet which `toReserve` returns, if any. */
function placing(
  toReserve: (ctx: Parameters<Placing>[0], found: LockedPet | undefined) => LockedPet | undefined,
): Placing {
  return (ctx, { body }) =>
    ctx.store.transaction(async (tx) => {
      const { ownerId, user } = ctx.caller
      const now = ctx.clock.now()
      ctx.accept(await checkOpenOrders(ctx, tx))
      const reserved = toReserve(ctx, await tx.pets.lock(body.petId))
      const added = await addUnderId(body.id, tx.orders.nextId, async (id) => {
        const order = composeOrder(body, id)
        return (await tx.orders.add(order, ownerId, user?.id, now, reserved !== undefined)) ? order : undefined
      })

      const order = added ?? ctx.refuse("order-exists", `An order with the id ${body.id} already exists`)
      await together([
        async () => reserved && savePet(ctx, tx, { ...reserved.pet, status: petStatusOf(order) }, reserved),
        () => tx.events.add("order.placed", order, now, ownerId),
      ])
      return order
    })
}

const noSuchPet = at("/petId", "no-such-pet", "must be the id of a pet in the store")

/** Refuses an order beyond the customer's limit. Staff and their credentials have none. */
async function checkOpenOrders({ caller, policy }: ContextPart<"caller" | "policy">, tx: Repositories) {
  const { openOrdersMax: max } = policy
  if (max === undefined || isStaff(caller)) return undefined
  const { userId } = caller.bounds
  const person = userId === undefined ? undefined : await tx.users.byId(userId)
  if (person && isStaff({ ...caller, user: { ...person.user, accountId: person.accountId } })) return undefined
  return checkOrderLimit(await tx.orders.countOpen(caller.ownerId, max), max)
}
