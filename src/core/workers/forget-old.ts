import { pruneAudit } from "../domain/audit/prune.ts"
import { expireOrders } from "../domain/orders/expire.ts"
import type { Repositories } from "../domain/ports/store.ts"
import type { ChoreDeps } from "./chore.ts"

const batchSize = 1000
/** An hour longer than the longest window of the limiter, which reads another clock. */
const countsKeptMs = 25 * 60 * 60 * 1000

export async function forgetOld({
  store,
  clock,
  retention,
}: Pick<ChoreDeps, "store" | "clock" | "retention">): Promise<void> {
  const now = clock.now()
  const pruneAll = async (prune: (tx: Repositories) => Promise<number>) => {
    while ((await store.transaction(prune)) === batchSize);
  }
  await pruneAll((tx) => tx.idempotency.prune(now - retention.responses, batchSize))
  await pruneAll((tx) => tx.keys.prune(now - retention.revokedKeys, batchSize))
  await pruneAll((tx) => tx.sessions.prune(now, batchSize))
  await pruneAll((tx) => tx.limits.prune(Math.floor((now - countsKeptMs) / 60_000), batchSize))
  await pruneAll((tx) => tx.oauthRecords.prune(now, batchSize))
  // Deliveries first: an event, or a deleted webhook, is removed when no delivery refers to it.
  await pruneAll((tx) => tx.deliveries.prune(now - retention.deliveries, batchSize))
  await pruneAll((tx) => tx.events.prune(now - retention.events, batchSize))
  await pruneAll((tx) => tx.webhooks.pruneSecrets(now, batchSize))
  await pruneAll((tx) => tx.webhooks.prune(now - retention.deliveries, batchSize))
  await pruneAll((tx) => pruneAudit(tx, now, retention.audit, batchSize))
}

/** Cancels orders that have waited too long for approval, and logs how many. Returns their number. */
export async function cancelStaleOrders({
  store,
  clock,
  log,
  retention: { placedOrders },
}: Pick<ChoreDeps, "store" | "clock" | "retention"> & { log: Pick<ChoreDeps["log"], "info"> }): Promise<number> {
  if (placedOrders === undefined) return 0
  const orders = await expireOrders({ store, clock }, clock.now() - placedOrders)
  if (orders > 0) log.info({ orders }, "cancelled orders that were not approved in time")
  return orders
}
