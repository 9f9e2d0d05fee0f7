import type { Repositories } from "../ports.ts"

const batchSize = 500

/** Publishes some of what has happened so far; returns how many events, 0 when that was all. */
export const publishBatch = (tx: Repositories, at: number): Promise<number> => tx.events.publish(at, batchSize)

/** Publishes everything that has happened so far. */
export async function publishAll(tx: Repositories, at: number): Promise<void> {
  while ((await publishBatch(tx, at)) > 0);
}
