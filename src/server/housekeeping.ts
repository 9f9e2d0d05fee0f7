import type { Logger } from "pino"
import type { Store } from "../domain/store.ts"
import type { Clock } from "../kernel/clock.ts"
import { keptMs } from "./idempotency.ts"

const intervalMs = 10 * 60 * 1000
const batchSize = 1000

/** Forgets in the background what has outlived its use, a batch at a time. Answers how to stop. */
export function keepHouse(store: Store, clock: Clock, log: Logger): () => void {
  const timer = setInterval(() => {
    forgetOldAnswers(store, clock).catch((error: unknown) => log.error({ err: error }, "housekeeping failed"))
  }, intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}

export async function forgetOldAnswers(store: Store, clock: Clock): Promise<void> {
  const before = clock.now() - keptMs
  while ((await store.transaction((tx) => tx.idempotency.prune(before, batchSize))) === batchSize);
}
