import type { Logger } from "pino"
import type { Questions, Store } from "../domain/store.ts"
import type { Clock } from "../kernel/clock.ts"
import { keptMs } from "./idempotency.ts"

const intervalMs = 10 * 60 * 1000
const batchSize = 1000
/** An hour longer than the longest window, whose end is told by another clock. */
const countsKeptMs = 25 * 60 * 60 * 1000

/** Forgets in the background what has outlived its use, a batch at a time. Answers how to stop. */
export function keepHouse(store: Store, clock: Clock, log: Logger): () => void {
  const timer = setInterval(() => {
    forgetOld(store, clock).catch((error: unknown) => log.error({ err: error }, "housekeeping failed"))
  }, intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}

async function forgetOld(store: Store, clock: Clock): Promise<void> {
  await inBatches(store, (tx) => tx.idempotency.prune(clock.now() - keptMs, batchSize))
  await inBatches(store, (tx) => tx.sessions.prune(clock.now(), batchSize))
  await inBatches(store, (tx) => tx.limits.prune(Math.floor((clock.now() - countsKeptMs) / 60_000), batchSize))
}

async function inBatches(store: Store, forget: (tx: Questions) => Promise<number>): Promise<void> {
  while ((await store.transaction(forget)) === batchSize);
}
