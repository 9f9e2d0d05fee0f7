// Decision: docs/decisions/sandbox.md#a-reset-writes-a-new-database-over-the-old-one

import { randomUUID } from "node:crypto"
import { everyAccount } from "../domain/accounts/model.ts"
import type { Invalidation } from "../domain/ports/signals.ts"
import type { Database } from "../domain/ports/store.ts"
import type { RequestJournal, SandboxTime } from "../domain/sandbox/model.ts"
import type { Seed } from "../domain/sandbox/start/contract.ts"
import { moveCopyTo } from "./address.ts"
import { pointDocsClientAt } from "./clients.ts"
import type { Seeds } from "./seeds.ts"

export type ResetDeps = {
  store: Database
  seeds: Seeds
  signals: Invalidation
  /** Resets all counts. */
  counters: { forget(): Promise<void> }
  /** Pauses deliveries and returns how to resume. */
  worker: { pause(): Promise<() => void> }
  publicUrl(): string
  time: SandboxTime | undefined
  journal: RequestJournal
}

/** Returns the function that resets the sandbox in one step. No request may be running. */
export function sandboxReset({ store, seeds, signals, counters, worker, publicUrl, time, journal }: ResetDeps) {
  return (seed: Seed): Promise<void> => (time ? time.fromStart(() => resetData(seed)) : resetData(seed))

  async function resetData(seed: Seed): Promise<void> {
    const { fill, tables } = await seeds(seed)
    const resume = await worker.pause()
    try {
      await counters.forget()
      await store.startOver(async (tx) => {
        if (!tables) await tx.origin.put("sandbox", randomUUID())
        await fill(tx, publicUrl())
        await pointDocsClientAt(tx, publicUrl())
      }, tables)
      if (tables) await moveCopyTo(store, publicUrl())
      // Again, because requests counted meanwhile belong to deleted accounts.
      await counters.forget()
      await signals.announce({ kind: "credentials-changed", accountId: everyAccount })
      journal.clear()
    } finally {
      resume()
    }
  }
}
