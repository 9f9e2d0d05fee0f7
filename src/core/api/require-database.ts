import { setTimeout as sleep } from "node:timers/promises"
import { type Store, StoreUnavailable, unlessDamaged } from "../domain/ports/store.ts"

/** Shorter than the timeout of probes, so that an unresponsive database is reported as the reason. */
const timeoutMs = 2_000

/** Throws StoreUnavailable when the database does not respond. */
export async function requireDatabase({ accounts }: Store): Promise<void> {
  const silence = sleep(timeoutMs, "silence" as const, { ref: false })
  if ((await Promise.race([accounts.read(1).catch(unlessDamaged), silence])) === "silence")
    throw new StoreUnavailable("the database does not respond")
}
