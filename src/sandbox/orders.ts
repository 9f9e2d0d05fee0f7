import type { Order } from "../domain/orders/contract.ts"
import type { Repositories } from "../domain/ports.ts"
import type { Clock } from "../kernel/clock.ts"

/** One order of each status, for the sample pets whose status says that they have one. */
const sample = [
  { username: "user1", petId: 3, quantity: 1, status: "placed" },
  { username: "user2", petId: 6, quantity: 1, status: "approved" },
  { username: "user3", petId: 5, quantity: 1, status: "delivered" },
] as const

const steps = ["placed", "approved", "delivered"] as const

/** Orders 1 to 3, each with the events that led to it. */
export async function addOrders(tx: Repositories, clock: Clock): Promise<void> {
  for (const { username, petId, quantity, status } of sample) {
    const owner = await tx.users.byName(username)
    const id = await tx.orders.nextId()
    for (const step of steps.slice(0, steps.indexOf(status) + 1)) {
      const order: Order = { id, petId, quantity, status: step, complete: step === "delivered" }
      if (step === "placed") await tx.orders.add(order, owner?.accountId as number, owner?.user.id, clock.now())
      else await tx.orders.put(order)
      await tx.events.add(`order.${step}`, order, clock.now(), owner?.accountId)
    }
  }
}
