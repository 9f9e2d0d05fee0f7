import { mock } from "node:test"
import fc from "fast-check"
import { isThorough } from "../harness/effort.ts"
import type { Effort } from "../harness/report-effort.ts"

/** What waits for its turn, in an order that the seed decides, and time that passes only when it has its turn. */
export type Schedule = {
  /** Resolves when it is this one's turn. */
  turn(label: string): Promise<void>
  /** Lets this much time pass for timers. */
  pass(ms: number): void
  /** Gives turns until nothing waits for one, or until this many were given. */
  run(turns?: number): Promise<void>
}

/** Event loop turns after which nothing happens any more that needs no turn of the schedule. */
const idleTurns = 4

/** Far more than any run needs. */
const turnsMax = 10_000

/** A hundred take a second or three. */
const runs = isThorough ? 3000 : 100

/**
 * Runs `world` with many inputs, each in an order of events that a seed decides. When one fails, the error has the smallest such
 * input and order, and how to run them again: `SIMULATION=seed/path`. Resolves with the runs and their seed. Runs in a process of its own, because timers are simulated.
 */
export async function simulate<T>(
  input: fc.Arbitrary<T>,
  world: (input: T, schedule: Schedule) => Promise<void>,
): Promise<Effort> {
  const [seed, path] = (process.env.SIMULATION ?? "").split("/")
  const property = fc.asyncProperty(fc.scheduler(), input, async (scheduler, input) => {
    mock.timers.enable({ apis: ["setTimeout", "setInterval"] })
    try {
      // Copied, so that the error shows what it was.
      await world(structuredClone(input), scheduleOf(scheduler))
    } finally {
      mock.timers.reset()
    }
  })
  const details = await fc.check(property, {
    numRuns: runs,
    ...(seed && { seed: Number(seed) }),
    ...(path && { path, endOnFailure: true }),
  })
  if (!details.failed) return { runs: details.numRuns, seed: details.seed }
  const again = `SIMULATION=${details.seed}/${details.counterexamplePath}`
  throw new Error(`${again}\n${fc.defaultReportMessage(details)}`, { cause: details.errorInstance })
}

const scheduleOf = (scheduler: fc.Scheduler): Schedule => ({
  turn: (label) => scheduler.schedule(Promise.resolve(), label),
  pass: (ms) => mock.timers.tick(ms),
  async run(turns = turnsMax) {
    await settle()
    for (let n = 0; n < turns && scheduler.count() > 0; n++) {
      if (n === turnsMax - 1) throw new Error("it never comes to rest")
      await scheduler.waitNext(1)
      await settle()
    }
  },
})

async function settle(): Promise<void> {
  for (let n = 0; n < idleTurns; n++) await new Promise((resolve) => setImmediate(resolve))
}
