import { together } from "../../kernel/flow/together.ts"
import { at } from "../../kernel/problem.ts"
import { isStaff } from "../accounts/rules.ts"
import { addUnderId } from "../add-under-id.ts"
import type { ContextPart, Verb } from "../context.ts"
import { savePet } from "../pets/save-pet.ts"
import type { Repositories } from "../ports/store.ts"
import { checkOrderLimit, composeOrder, petStatusOf } from "./rules.ts"

export const placeOrder: Verb<"placeOrder"> = (ctx, { body }) =>
  ctx.store.transaction(async (tx) => {
    const { ownerId, user } = ctx.caller
    ctx.accept(await checkOpenOrders(ctx, tx))
    const found = (await tx.pets.lock(body.petId)) ?? ctx.refuse("invalid-body", noSuchPet)
    const { pet } = found
    const added = await addUnderId(body.id, tx.orders.nextId, async (id) => {
      const order = ctx.accept(composeOrder(pet, body, id))
      return (await tx.orders.add(order, ownerId, user?.id, ctx.clock.now())) ? order : undefined
    })

    const order = added ?? ctx.refuse("order-exists", `An order with the id ${body.id} already exists`)
    await together([
      () => savePet(ctx, tx, { ...pet, status: petStatusOf(order) }, found),
      () => tx.events.add("order.placed", order, ctx.clock.now(), ownerId),
    ])
    return order
  })

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
