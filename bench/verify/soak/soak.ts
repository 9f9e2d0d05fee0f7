import { setTimeout as sleep } from "node:timers/promises"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { samplesIn, sumOf } from "../../../test/harness/metrics.ts"
import { startPetstore } from "../../contestants/petstore.ts"
import { busySeconds, processorSeconds } from "../../machine/processor-time.ts"
import type { ServerProcess } from "../../machine/server-process.ts"
import { type Judged, judgeUsage } from "./bounds.ts"
import { type Load, startLoad } from "./load.ts"
import { takeSample, type UsageSample } from "./samples.ts"

/** What a service on SQLite did under mixed load for this time. */
export type Soak = {
  minutes: number
  calls: Record<string, number>
  deliveries: number
  /** Cores that other programs of the machine used. */
  otherCores: number
  usage: Judged[]
  /** Responses other than successes, requests without one, and deliveries that never arrived. */
  unexpected: string[]
}

const sampleEveryMs = 15_000
/** Fewer would not make thirds. */
const samplesMin = 12
const arrivalMs = 60_000

/** Runs mixed load on a service of its own until the time is over, or the signal ends it. Reports each sample. */
export async function runSoak(
  durationMs: number,
  signal: AbortSignal,
  report: (sample: UsageSample, passedMs: number) => void,
): Promise<Soak> {
  using directory = temporaryDirectory()
  const service = await startPetstore(directory.path)
  try {
    await using load = await startLoad(service.url)
    const measureOthers = watchOthers()
    const samples: UsageSample[] = []
    const everyMs = Math.min(sampleEveryMs, durationMs / samplesMin)
    for (let passedMs = everyMs; passedMs <= durationMs && !signal.aborted; passedMs += everyMs) {
      await sleep(everyMs, undefined, { signal }).catch(() => undefined)
      const sample = takeSample(service.pid, directory.path, load.delaysMs, everyMs)
      samples.push(sample)
      report(sample, passedMs)
    }
    const otherCores = measureOthers()
    await load.stop()
    const left = signal.aborted ? 0 : await waitForDeliveries(service)
    return { minutes: durationMs / 60_000, ...summarize(load, left), otherCores, usage: judgeUsage(samples) }
  } finally {
    await service.stop()
  }
}

/** Returns a function that returns how many cores all but this process and its descendants have used since, on average. */
function watchOthers(): () => number {
  const others = () => busySeconds() - processorSeconds(process.pid)
  const [before, start] = [others(), performance.now()]
  return () => Math.max(0, Math.round(((others() - before) / (performance.now() - start)) * 10_000) / 10)
}

/** The deliveries that are due, and those that are being sent. */
const unfinished = ["petstore_deliveries_due", "petstore_deliveries_active"]

/** Waits until every delivery has arrived; resolves with the number of those that have not after a minute, or undefined. */
async function waitForDeliveries({ url }: ServerProcess): Promise<number | undefined> {
  for (let passedMs = 0; ; passedMs += 1_000) {
    // Metrics are cached for a second.
    await sleep(1_000)
    const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(arrivalMs) })
    const samples = samplesIn(await response.text())
    const isKnown = unfinished.every((name) => samples.some((sample) => sample.name === name))
    const count = unfinished.reduce((sum, name) => sum + sumOf(samples, name), 0)
    if (isKnown && count === 0) return 0
    if (passedMs >= arrivalMs) return isKnown ? count : undefined
  }
}

function summarize({ calls, unexpected, deliveries }: Load, left: number | undefined) {
  const lines = [...unexpected].map(([what, times]) => `${times} × ${what}`)
  return {
    calls: { ...calls },
    deliveries: deliveries(),
    unexpected:
      left === 0 ? lines : [...lines, `${left ?? "an unknown number of"} deliveries have not arrived after a minute`],
  }
}
