import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import type { Running } from "../contestants/contestant.ts"
import { type Load, runLoad, type Target } from "../load/wrk.ts"
import { onLoadCore } from "../machine/cores.ts"
import { undisturbed } from "../machine/undisturbed.ts"
import { type Spread, spreadOf } from "../statistics.ts"

const postsPerSecond = 1000
/** Minimum share of the intended writes; with fewer the result would not be comparable. */
const shareMin = 0.9
const script = join(import.meta.dirname, "..", "load", "steady-posts.ts")

/** Ratio of the p99 of reads during 1,000 durable creates a second to the p99 without. */
export async function measureBesideWrites({ pid, targets }: Running, rounds: number, load: Load, file: string) {
  const { get, create } = targets as { get: Target; create: Target }
  const ratios: number[] = []
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { value, isDisturbed } = await undisturbed(async () => {
      const alone = await runLoad(pid, get, load)
      const { sample, perSecond } = await besidePosts(create, file, () => runLoad(pid, get, load))
      return { ratio: sample.p99Ms / alone.p99Ms, perSecond }
    })
    if (isDisturbed && round < rounds - 1) continue
    ratios.push(value.ratio)
    rates.push(value.perSecond)
  }
  const achieved = spreadOf(rates).median
  if (achieved < postsPerSecond * shareMin) process.stderr.write(`  only ${Math.round(achieved)} creates a second\n`)
  return { ratio: spreadOf(ratios), postsPerSecond: achieved } satisfies { ratio: Spread; postsPerSecond: number }
}

async function besidePosts<T>({ url }: Target, file: string, measure: () => Promise<T>) {
  const [command, args] = onLoadCore(process.execPath, script, url, file, String(postsPerSecond))
  const posting = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] })
  const output = text(posting.stdout)
  const ended = once(posting, "exit")
  try {
    await new Promise((resolve) => setTimeout(resolve, 300))
    const sample = await measure()
    posting.kill("SIGTERM")
    await ended
    const { perSecond, failed } = JSON.parse(await output) as { perSecond: number; failed: number }
    if (failed > 0) throw new Error(`${failed} creates failed`)
    return { sample, perSecond }
  } finally {
    posting.kill("SIGKILL")
  }
}
