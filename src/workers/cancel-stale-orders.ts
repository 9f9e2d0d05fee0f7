import { expireOrders } from "../domain/orders/expire.ts"
import type { ChoreDeps } from "./chore.ts"

/** Cancels orders that have waited too long to be approved, and logs how many. */
export async function cancelStaleOrders({ store, clock, log, retention: { placedOrders } }: ChoreDeps): Promise<void> {
  if (placedOrders === undefined) return
  const orders = await expireOrders({ store, clock }, clock.now() - placedOrders)
  if (orders > 0) log.info({ orders }, "cancelled orders that nobody approved in time")
}
