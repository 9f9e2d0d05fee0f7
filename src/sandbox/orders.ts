import type { Order } from "../domain/orders/contract.ts"
import type { Repositories } from "../domain/ports.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Animal } from "./animals.ts"

type SampleOrder = { username: string; petId: number; status: Order["status"] }

/** One order of each status, for the classic pets whose status says that they have one. */
export const classicOrders: readonly SampleOrder[] = [
  { username: "user1", petId: 3, status: "placed" },
  { username: "user2", petId: 6, status: "approved" },
  { username: "user3", petId: 5, status: "delivered" },
]

const steps = ["placed", "approved", "delivered"] as const

/** The orders of animals with ids from 1 on whose status says that they have one; ten users take turns. */
export const ordersFor = (animals: readonly Animal[]): SampleOrder[] =>
  animals
    .map(({ status }, n) => ({ petId: n + 1, status }))
    .filter(({ status }) => status !== "available")
    .map(({ petId, status }, n) => ({
      username: `user${(n % 10) + 1}`,
      petId,
      status: status === "sold" ? "delivered" : n % 4 < 2 ? "placed" : "approved",
    }))

/** Adds orders, from the next id on, each with the events that led to it; what can be is sent together. */
export async function addOrders(tx: Repositories, clock: Clock, samples: readonly SampleOrder[]): Promise<void> {
  const ids = await Promise.all(samples.map(() => tx.orders.nextId()))
  const events = await Promise.all(
    samples.map(async ({ username, petId, status }, n) => {
      const owner = await tx.users.byName(username)
      const accountId = owner?.accountId as number
      const states = steps
        .slice(0, steps.indexOf(status) + 1)
        .map(
          (step): Order => ({ id: ids[n] as number, petId, quantity: 1, status: step, complete: step === "delivered" }),
        )
      await tx.orders.add(states[0] as Order, accountId, owner?.user.id, clock.now())
      await tx.orders.put(states.at(-1) as Order)
      return states.map((order) => ({ order, accountId }))
    }),
  )
  await Promise.all(
    events.flat().map(({ order, accountId }) => tx.events.add(`order.${order.status}`, order, clock.now(), accountId)),
  )
}
