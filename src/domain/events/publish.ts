import type { Clock } from "../../kernel/clock.ts"
import { type Repositories, type Store, StoreUnavailable } from "../ports/store.ts"

const batchSize = 500

/** Publishes some of what has happened so far; returns how many events, 0 when that was all. */
export const publishBatch = (tx: Repositories, at: number): Promise<number> => tx.events.publish(at, batchSize)

/** Publishes everything that has happened so far. */
export async function publishAll(tx: Repositories, at: number): Promise<void> {
  while ((await publishBatch(tx, at)) > 0);
}

/** Gives everything that has happened so far its place; where nothing can be written, such as on a full disk, that comes later. */
export const publishIfPossible = ({ store, clock }: { store: Store; clock: Clock }): Promise<void> =>
  store.transaction((tx) => publishAll(tx, clock.now())).catch(unlessUnavailable)

const unlessUnavailable = (error: unknown): Promise<void> =>
  error instanceof StoreUnavailable ? Promise.resolve() : Promise.reject(error)
