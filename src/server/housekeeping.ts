import type { Logger } from "pino"
import type { PhotoLab } from "../domain/images/lab.ts"
import type { Sealing } from "../domain/sealing.ts"
import type { Questions, Store } from "../domain/store.ts"
import type { Clock } from "../kernel/clock.ts"
import { keptMs } from "./idempotency.ts"
import { rotateSigningKeys } from "./oauth/signing-keys.ts"
import { sweepImages } from "./sweep-images.ts"

const intervalMs = 10 * 60 * 1000
const batchSize = 1000
const eventsKeptMs = 30 * 24 * 60 * 60 * 1000
/** An hour longer than the longest window, whose end is told by another clock. */
const countsKeptMs = 25 * 60 * 60 * 1000

type House = { store: Store; sealing: Sealing; clock: Clock; log: Logger; lab: PhotoLab }

/** Does in the background what is due from time to time, first of all now. Answers how to stop, at the end of a round. */
export function keepHouse(house: House): () => Promise<void> {
  const startedAt = house.clock.now()
  const sweep = ({ store, lab, clock }: House) => sweepImages(store, lab.blobs, clock.now(), startedAt)
  const chores = [forgetOld, rotateSigningKeys, sweep]
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

/** Forgets what has outlived its use, a batch at a time. */
export async function forgetOld({ store, clock }: Pick<House, "store" | "clock">): Promise<void> {
  await inBatches(store, (tx) => tx.idempotency.prune(clock.now() - keptMs, batchSize))
  await inBatches(store, (tx) => tx.sessions.prune(clock.now(), batchSize))
  await inBatches(store, (tx) => tx.limits.prune(Math.floor((clock.now() - countsKeptMs) / 60_000), batchSize))
  await inBatches(store, (tx) => tx.oauthRecords.prune(clock.now(), batchSize))
  await forgetOldEvents({ store, clock })
}

/** Deliveries first: an event goes when nothing refers to it. */
async function forgetOldEvents({ store, clock }: Pick<House, "store" | "clock">): Promise<void> {
  const before = clock.now() - eventsKeptMs
  await inBatches(store, (tx) => tx.deliveries.prune(before, batchSize))
  await inBatches(store, (tx) => tx.events.prune(before, batchSize))
  await inBatches(store, (tx) => tx.webhooks.pruneSecrets(clock.now(), batchSize))
  await inBatches(store, (tx) => tx.webhooks.prune(before, batchSize))
}

async function inBatches(store: Store, forget: (tx: Questions) => Promise<number>): Promise<void> {
  while ((await store.transaction(forget)) === batchSize);
}
