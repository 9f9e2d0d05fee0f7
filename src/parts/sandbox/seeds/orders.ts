import type { Order } from "../../../core/domain/orders/contract.ts"
import type { Repositories } from "../../../core/domain/ports/store.ts"
import type { Clock } from "../../../core/kernel/clock.ts"
import { type Animal, idOfAnimal } from "./animals.ts"

type SampleOrder = { username: string; petId: number; status: Order["status"] }

/** One order of each status, for the classic pets with a matching status. */
export const classicOrders: readonly SampleOrder[] = [
  { username: "user1", petId: 3, status: "placed" },
  { username: "user2", petId: 6, status: "approved" },
  { username: "user3", petId: 5, status: "delivered" },
]

/** Orders for animals whose status requires one; of ten users, one after the other. */
export const ordersFor = (animals: readonly Animal[]): SampleOrder[] =>
  animals
    .map(({ status }, n) => ({ petId: idOfAnimal(n), status }))
    .filter(({ status }) => status !== "available")
    .map(({ petId, status }, n) => ({
      username: `user${(n % 10) + 1}`,
      petId,
      status: status === "sold" ? "delivered" : n % 4 < 2 ? "placed" : "approved",
    }))

/** Adds orders from the next id on, in parallel where possible. Emits no events. */
export async function addOrders(tx: Repositories, clock: Clock, samples: readonly SampleOrder[]): Promise<void> {
  const ids = await Promise.all(samples.map(() => tx.orders.nextId()))
  await Promise.all(
    samples.map(async ({ username, petId, status }, n) => {
      const owner = await tx.users.byName(username)
      const order: Order = { id: ids[n] as number, petId, quantity: 1, status, complete: status === "delivered" }
      await tx.orders.add(order, owner?.accountId as number, owner?.user.id, clock.now())
    }),
  )
}
