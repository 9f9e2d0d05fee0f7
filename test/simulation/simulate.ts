import { syncBuiltinESMExports } from "node:module"
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

/** Of most worlds, a hundred take a second or three. */
const usualRuns = 100
const thoroughly = 30

/**
 * Runs `world` with many inputs, each in an order of events that a seed decides. When one fails, the error has the smallest such
 * input and order, and how to run them again: `SIMULATION=seed/path`. Resolves with the runs and their seed. Runs in a process of
 * its own, because timers are simulated.
 */
export async function simulate<T>(
  input: fc.Arbitrary<T>,
  world: (input: T, schedule: Schedule) => Promise<void>,
  runs = usualRuns,
  fixedSeed?: number,
): Promise<Effort> {
  const [seed = fixedSeed, path] = process.env.SIMULATION ? process.env.SIMULATION.split("/") : []
  const property = fc.asyncProperty(fc.scheduler(), input, async (scheduler, input) => {
    using time = simulateTime()
    // Copied, so that the error shows what it was.
    await world(structuredClone(input), scheduleOf(scheduler, time.pass))
  })
  const details = await fc.check(property, {
    numRuns: isThorough ? runs * thoroughly : runs,
    ...(seed !== undefined && { seed: Number(seed) }),
    ...(path && { path, endOnFailure: true }),
  })
  if (!details.failed) return { runs: details.numRuns, seed: details.seed }
  const again = `SIMULATION=${details.seed}/${details.counterexamplePath}`
  throw new Error(`${again}\n${fc.defaultReportMessage(details)}`, { cause: details.errorInstance })
}

/** Timers, the clock that only rises, and chance are those of the run. */
function simulateTime() {
  const { random } = Math
  let now = 0
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] })
  // For modules that import them by name.
  syncBuiltinESMExports()
  performance.now = () => now
  Math.random = () => 0.5
  return {
    pass(ms: number): void {
      now += ms
      mock.timers.tick(ms)
    },
    [Symbol.dispose]() {
      mock.timers.reset()
      syncBuiltinESMExports()
      Reflect.deleteProperty(performance, "now")
      Math.random = random
    },
  }
}

const scheduleOf = (scheduler: fc.Scheduler, pass: Schedule["pass"]): Schedule => ({
  turn: (label) => scheduler.schedule(Promise.resolve(), label),
  pass,
  async run(turns = turnsMax) {
    await settle()
    for (let n = 0; n < turns && scheduler.count() > 0; n++) {
      if (n === turnsMax - 1) throw new Error("it never comes to rest")
      await scheduler.waitNext(1)
      await settle()
    }
  },
})

/** With callbacks, because the test runner keeps track of each promise. */
const settle = (): Promise<void> =>
  new Promise((resolve) => {
    let turns = idleTurns
    const next = () => (turns-- > 0 ? setImmediate(next) : resolve())
    next()
  })
