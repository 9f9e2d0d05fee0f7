import { storeUses } from "../../domain/keys/store-uses.ts"
import type { Store } from "../../domain/ports/store.ts"
import type { Clock } from "../../kernel/clock.ts"

const minuteMs = 60_000

/** Notes when keys are used, to the minute, and stores it a minute later: one write for however many requests. */
export function keyUses(store: Store, clock: Clock, report: (error: unknown) => void) {
  let uses = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined

  async function save(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const saving = uses
    uses = new Map()
    await storeUses(store, saving)
  }

  return {
    note(keyId: number): void {
      const now = clock.now()
      uses.set(keyId, now - (now % minuteMs))
      timer ??= setTimeout(() => void save().catch(report), minuteMs).unref()
    },
    save,
    /** Forgets what is not stored yet: the ids are those of other keys by now. */
    forget: () => uses.clear(),
  }
}
