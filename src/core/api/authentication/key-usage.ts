import { storeUses } from "../../domain/keys/store-uses.ts"
import type { Store } from "../../domain/ports/store.ts"
import type { Clock } from "../../kernel/clock.ts"

const minuteMs = 60_000

/** When keys were used, to the minute. */
export type KeyUses = {
  record(keyId: number): void
  flush(): Promise<void>
  /** Drops buffered uses: after a reset the ids belong to other keys. */
  forget(): void
}

/** Stores uses a minute later: one write for any number of requests. */
export function createKeyUses(store: Store, clock: Clock, report: (error: unknown) => void): KeyUses {
  let uses = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const saving = uses
    uses = new Map()
    await storeUses(store, saving)
  }

  return {
    record(keyId) {
      const now = clock.now()
      uses.set(keyId, now - (now % minuteMs))
      timer ??= setTimeout(() => void flush().catch(report), minuteMs).unref()
    },
    flush,
    forget: () => uses.clear(),
  }
}
