// Decision: docs/decisions/storage-sqlite.md#a-reset-writes-a-new-database-over-the-old-one

import { randomUUID } from "node:crypto"
import type { OpenStore } from "../../core/assembly/part.ts"
import { everyAccount } from "../../core/domain/accounts/model.ts"
import { moveCopyTo } from "./files/address.ts"
import type { RequestJournal, SandboxTime } from "./model.ts"
import { pointDocsClientAt } from "./seeds/clients.ts"
import type { Seed } from "./seeds/contract.ts"
import type { Seeds } from "./seeds/seeds.ts"

/** Returns the function that resets the sandbox in one step. No request may be running. */
export function createSandboxReset(
  { ports, signals, counters, worker }: OpenStore,
  seeds: Seeds,
  time: SandboxTime | undefined,
  journal: RequestJournal,
) {
  const { store, publicUrl } = ports
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
