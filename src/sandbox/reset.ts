import { randomUUID } from "node:crypto"
import { everyAccount } from "../domain/accounts/model.ts"
import type { Invalidation } from "../domain/ports/signals.ts"
import type { Store } from "../domain/ports/store.ts"
import type { Seed } from "../domain/sandbox/contract.ts"
import { pointDocsClientAt } from "./clients.ts"
import type { Seeds } from "./seeds.ts"

type ResetDeps = {
  store: Store
  seeds: Seeds
  signals: Invalidation
  /** Forgets what was counted. */
  counters: { forget(): Promise<void> }
  /** Holds deliveries back and returns how to go on. */
  worker: { pause(): Promise<() => void> }
  publicUrl(): string
}

/** Makes what lets the sandbox begin anew, in one transaction; whoever calls it sees to it that no request is running. */
export function sandboxReset({ store, seeds, signals, counters, worker, publicUrl }: ResetDeps) {
  return async (seed: Seed): Promise<void> => {
    const fill = await seeds(seed)
    const resume = await worker.pause()
    try {
      await counters.forget()
      await store.transaction(async (tx) => {
        await tx.origin.lock()
        await tx.origin.empty()
        await tx.origin.put("sandbox", randomUUID())
        await fill(tx, publicUrl())
        await pointDocsClientAt(tx, publicUrl())
      })
      // Once more: what was counted meanwhile belongs to accounts that are gone.
      await counters.forget()
      await signals.announce({ kind: "credentials-changed", accountId: everyAccount })
    } finally {
      resume()
    }
  }
}
