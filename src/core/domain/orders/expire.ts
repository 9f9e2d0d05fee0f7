import type { Ports } from "../ports/ports.ts"
import { type Repositories, unlessDamaged } from "../ports/store.ts"
import { cancelOrder } from "./cancel.ts"

const batchSize = 100

/** Cancels unapproved orders placed before `before` (ms), each in its own transaction. Returns their number. */
export async function expireOrders({ store, clock }: Pick<Ports, "store" | "clock">, before: number): Promise<number> {
  for (let expired = 0; ; ) {
    const orders = await store.orders.waiting(before, batchSize)
    const others = expired
    for (const { id } of orders) if (await store.transaction((tx) => expireOrder({ clock }, tx, id, before))) expired++
    if (orders.length < batchSize || expired === others) return expired
  }
}

/** Returns false when the order has been approved or cancelled meanwhile, or is damaged. */
async function expireOrder(ctx: Pick<Ports, "clock">, tx: Repositories, id: number, before: number): Promise<boolean> {
  // Others do not wait for its repair.
  const found = await tx.orders.lockWaiting(id, before).catch(unlessDamaged)
  if (!found) return false

  await cancelOrder(ctx, tx, found, "expired")
  return true
}
