import type { Logger } from "pino"
import { expireOrders } from "../domain/orders/expire.ts"
import type { Retention } from "../domain/policy.ts"
import type { BlobStore, Repositories, Sealing, Store } from "../domain/ports.ts"
import { rotateSigningKeys } from "../http/oauth/signing-keys.ts"
import type { Clock } from "../kernel/clock.ts"
import { type Swept, sweepImages } from "./image-sweep.ts"
import { labelSweep } from "./label-sweep.ts"

const intervalMs = 10 * 60 * 1000
const batchSize = 1000
/** An hour longer than the longest window, whose end is told by another clock. */
const countsKeptMs = 25 * 60 * 60 * 1000

type House = {
  store: Store
  sealing: Sealing
  clock: Clock
  log: Logger
  blobs: BlobStore
  retention: Retention
}

/** Does in the background what is due from time to time, first of all now. Answers how to stop, at the end of a round. */
export function keepHouse(house: House): () => Promise<void> {
  const startedAt = house.clock.now()
  const sweep = async ({ store, blobs, clock, log }: House) =>
    logSweep(log, await sweepImages(store, blobs, clock.now(), startedAt))
  const chores = [cancelStaleOrders, forgetOld, labelSweep(), rotateSigningKeys, sweep]
  const round = async () => {
    for (const chore of chores)
      await chore(house).catch((error: unknown) => house.log.error({ err: error }, "housekeeping failed"))
  }
  let running = round()
  const timer = setInterval(() => {
    running = running.then(round)
  }, intervalMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    return running
  }
}

/** Cancels orders that have waited too long to be approved. */
async function cancelStaleOrders({ store, clock, log, retention: { placedOrders } }: House): Promise<void> {
  const orders = placedOrders === undefined ? 0 : await expireOrders({ store, clock }, clock.now() - placedOrders)
  if (orders > 0) log.info({ orders }, "cancelled orders that nobody approved in time")
}

/** Every sweep says what it did; one that held back says what to do. */
function logSweep(log: Logger, swept: Swept): void {
  if (swept.held) log.warn({ ...swept }, heldBack)
  else log.info({ ...swept }, "photos swept")
}

const heldBack =
  "The database does not know an unusual share of the photos, so none was moved away: is it the right database? Put " +
  "back the newer one; or, to let them go to the trash for 7 days, make a file named sweep-anyway beside their directory kept."

/** Forgets what has outlived its use, a batch at a time. */
export async function forgetOld({ store, clock, retention }: Remembering): Promise<void> {
  await inBatches(store, (tx) => tx.idempotency.prune(clock.now() - retention.responses, batchSize))
  await inBatches(store, (tx) => tx.keys.prune(clock.now() - retention.revokedKeys, batchSize))
  await inBatches(store, (tx) => tx.sessions.prune(clock.now(), batchSize))
  await inBatches(store, (tx) => tx.limits.prune(Math.floor((clock.now() - countsKeptMs) / 60_000), batchSize))
  await inBatches(store, (tx) => tx.oauthRecords.prune(clock.now(), batchSize))
  await forgetOldEvents({ store, clock, retention })
}

type Remembering = Pick<House, "store" | "clock" | "retention">

/** Deliveries first: an event goes when nothing refers to it. */
async function forgetOldEvents({ store, clock, retention }: Remembering): Promise<void> {
  await inBatches(store, (tx) => tx.deliveries.prune(clock.now() - retention.deliveries, batchSize))
  await inBatches(store, (tx) => tx.events.prune(clock.now() - retention.events, batchSize))
  await inBatches(store, (tx) => tx.webhooks.pruneSecrets(clock.now(), batchSize))
  await inBatches(store, (tx) => tx.webhooks.prune(clock.now() - retention.deliveries, batchSize))
}

async function inBatches(store: Store, forget: (tx: Repositories) => Promise<number>): Promise<void> {
  while ((await store.transaction(forget)) === batchSize);
}
