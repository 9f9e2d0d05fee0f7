// Decision: docs/decisions/delivery.md#on-postgresql-an-event-gets-its-feed-position-after-its-commit-on-sqlite-when-it-is-written

import type { Clock } from "../../kernel/clock.ts"
import { type Repositories, type Store, StoreUnavailable } from "../ports/store.ts"

const batchSize = 500

/** Publishes a batch of pending events; returns their number, 0 when none are left. */
export const publishBatch = (tx: Repositories, at: number): Promise<number> => tx.events.publish(at, batchSize)

export async function publishAll(tx: Repositories, at: number): Promise<void> {
  while ((await publishBatch(tx, at)) > 0);
}

/** Publishes all pending events if the store is writable; otherwise, as on a full disk, they are published later. */
export const publishIfPossible = ({ store, clock }: { store: Store; clock: Clock }): Promise<void> =>
  store.transaction((tx) => publishAll(tx, clock.now())).catch(unlessUnavailable)

const unlessUnavailable = (error: unknown): Promise<void> =>
  error instanceof StoreUnavailable ? Promise.resolve() : Promise.reject(error)
