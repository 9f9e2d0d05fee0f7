import type { Database } from "../domain/ports/store.ts"
import { createHashCheck } from "./check-hashes.ts"
import type { Chore, ChoreDeps } from "./chore.ts"
import { cancelStaleOrders, forgetOld } from "./forget-old.ts"
import { createImageSweep } from "./sweep-images.ts"
import { createLabelSweep } from "./sweep-labels.ts"
import { watchClock } from "./watch-clock.ts"

const intervalMs = 10 * 60 * 1000
/** Longer than the interval, so that the process of the last round does the next, unless it has ended. */
const leaseMs = 12 * 60 * 1000
const lease = "maintenance"

/**
 * Runs every chore now and every ten minutes, one after the other, unless another process of the same database does. Removal by
 * age pauses while the clock is doubted; `more` are such chores of other folders. Returns how to stop, which resolves at the end of
 * a running round. `holder` is this process in leases, `servingSince` a time before its first request.
 */
export function startMaintenance(
  ports: ChoreDeps & { store: Database },
  { holder, servingSince }: { holder: string; servingSince: number },
  more: readonly Chore[] = [],
  clockWatch = watchClock(ports.store, ports.clock, ports.log),
  hashCheck = createHashCheck(),
): () => Promise<void> {
  const { store, log } = ports
  const compactStore = () => store.compact()
  const soleSince = store.isShared ? undefined : servingSince
  const byAge = [cancelStaleOrders, forgetOld, ...more, createImageSweep(soleSince)]
  const chores = [clockWatch.check, ...byAge, createLabelSweep(), compactStore, hashCheck.checkHashes]
  const isOurs = () => store.transaction((tx) => tx.leases.take(lease, holder, leaseMs))
  const doChores = async () => {
    for (const chore of chores)
      try {
        if (!(await isOurs())) return clockWatch.forget()
        if (clockWatch.isTrusted() || !byAge.includes(chore)) await chore(ports)
      } catch (error) {
        log.error({ err: error, chore: chore.name }, "a chore failed")
      }
  }
  let running = doChores()
  const timer = setInterval(() => {
    running = running.then(doChores)
  }, intervalMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
    await store.transaction((tx) => tx.leases.release(lease, holder)).catch(() => {})
  }
}
