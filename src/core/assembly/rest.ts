// Decision: docs/decisions/runtime.md#memory-returns-to-the-system-at-rest

const intervalMs = 30_000
/** More than health checks, metrics and chores take. */
const busyShare = 0.02

type Process = {
  /** Processor time in microseconds since the start. */
  usedUs(): number
  /** Gives memory that nothing uses back to the operating system; holds the event loop for a few hundred milliseconds. */
  returnMemory(): void
}

/** Returns memory once half a minute has passed in which the process hardly worked, after one in which it did. */
export function returnMemoryAtRest({ usedUs, returnMemory }: Process = thisProcess): void {
  let [before, hasWorked] = [usedUs(), true]
  setInterval(() => {
    const isAtRest = usedUs() - before < busyShare * intervalMs * 1000
    if (isAtRest && hasWorked) returnMemory()
    hasWorked = !isAtRest
    before = usedUs()
  }, intervalMs).unref()
}

const thisProcess: Process = {
  usedUs() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  // The launcher exposes it.
  returnMemory: () => globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" }),
}
