import { at } from "../../kernel/problem.ts"
import type { Operation } from "../context.ts"
import { checkOpenOrders } from "./check-open-orders.ts"
import type { orders } from "./contract.ts"
import { composeOrder, petStatusOf } from "./rules.ts"
import { setPetStatus } from "./set-pet-status.ts"

export const placeOrder: Operation<typeof orders.placeOrder> = (ctx, { body }) =>
  ctx.store.transaction(async (tx) => {
    const { ownerId, user } = ctx.caller
    ctx.accept(await checkOpenOrders(ctx, tx))
    const { pet } = (await tx.pets.lock(body.petId)) ?? ctx.refuse("invalid-body", noSuchPet)
    const order = ctx.accept(composeOrder(pet, body, body.id || (await tx.orders.nextId())))

    if (!(await tx.orders.add(order, ownerId, user?.id, ctx.clock.now())))
      ctx.refuse("order-exists", `An order with the id ${order.id} exists already`)
    await setPetStatus(ctx, tx, pet, petStatusOf(order))
    await tx.events.add("order.placed", order, ctx.clock.now(), ownerId)
    return order
  })

const noSuchPet = at("/petId", "no-such-pet", "must be the id of a pet in the store")
