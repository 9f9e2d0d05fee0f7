import type { Running } from "../contestants/contestant.ts"
import { type Load, runLoad, steadyCreatesOf, type Target } from "../load/wrk.ts"
import { undisturbed } from "../machine/undisturbed.ts"
import { type Spread, spreadOf } from "../statistics.ts"

const createsPerSecond = 1000
/** Minimum share of the intended creates; with fewer the result would not be comparable. */
const shareMin = 0.9
/** Creates start before the reads and end after them. */
const marginSeconds = 1

/** The p99 of reads in milliseconds, without and during 1,000 durable creates a second. */
export async function measureBesideWrites({ pid, targets }: Running, rounds: number, load: Load, file: string) {
  const { get, create } = targets as { get: Target; create: Target }
  const alone: number[] = []
  const beside: number[] = []
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { value, isDisturbed } = await undisturbed(async () => {
      const quiet = await runLoad(pid, get, load)
      const creating = runLoad(pid, steadyCreatesOf(create, file, createsPerSecond), {
        ...load,
        seconds: load.seconds + 2 * marginSeconds,
      })
      await new Promise((resolve) => setTimeout(resolve, marginSeconds * 1000))
      const busy = await runLoad(pid, get, load)
      const { requestsPerSecond } = await creating
      return { quiet: quiet.p99Ms, busy: busy.p99Ms, requestsPerSecond }
    })
    if (isDisturbed && round < rounds - 1) continue
    alone.push(value.quiet)
    beside.push(value.busy)
    rates.push(value.requestsPerSecond)
  }
  const achieved = spreadOf(rates).median
  if (achieved < createsPerSecond * shareMin) process.stderr.write(`  only ${Math.round(achieved)} creates a second\n`)
  return { alone: spreadOf(alone), beside: spreadOf(beside) } satisfies { alone: Spread; beside: Spread }
}
