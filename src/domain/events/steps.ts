import type { Questions } from "../store.ts"

const batchSize = 500

/** Publishes everything that has happened so far. */
export async function publishAll(tx: Questions, at: number): Promise<void> {
  while ((await tx.events.publish(at, batchSize)) === batchSize);
}
