import { cancelStaleOrders } from "./cancel-stale-orders.ts"
import type { Chore, ChoreParts } from "./chore.ts"
import { forgetOld } from "./forget-old.ts"
import { createImageSweep } from "./sweep-images.ts"
import { createLabelSweep } from "./sweep-labels.ts"

const intervalMs = 10 * 60 * 1000

/**
 * Does every chore now and every ten minutes from then on, one after the other; `more` are chores of other parts of the
 * service. Returns how to stop, which resolves at the end of a round that is under way.
 */
export function startMaintenance(parts: ChoreParts, more: readonly Chore[] = []): () => Promise<void> {
  const { clock, log } = parts
  const chores = [cancelStaleOrders, forgetOld, createLabelSweep(), ...more, createImageSweep(clock.now())]
  const doChores = async () => {
    for (const chore of chores)
      await chore(parts).catch((error: unknown) => log.error({ err: error, chore: chore.name }, "a chore failed"))
  }
  let running = doChores()
  const timer = setInterval(() => {
    running = running.then(doChores)
  }, intervalMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    return running
  }
}
