import type { Clock } from "../../kernel/clock.ts"
import type { Repositories, Store } from "../ports.ts"
import { cancelOrder } from "./steps.ts"

const batchSize = 100

type Expiring = { store: Store; clock: Clock }

/**
 * Cancels the orders that were placed before `before` (ms) and that nobody has approved, each in a transaction of its
 * own. Answers how many there were.
 */
export async function expireOrders({ store, clock }: Expiring, before: number): Promise<number> {
  for (let expired = 0; ; ) {
    const ids = await store.orders.waiting(before, batchSize)
    for (const id of ids) if (await store.transaction((tx) => expireOrder(clock, tx, id, before))) expired++
    if (ids.length < batchSize) return expired
  }
}

/** False when somebody approved or cancelled the order first. */
async function expireOrder(clock: Clock, tx: Repositories, id: number, before: number): Promise<boolean> {
  const found = await tx.orders.lockWaiting(id, before)
  if (!found) return false

  await cancelOrder({ clock }, tx, found.order, found.accountId, "expired")
  return true
}
