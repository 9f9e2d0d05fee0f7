import { isThorough } from "../harness/effort.ts"
import { type Sample, samplesIn, sumOf } from "../harness/metrics.ts"
import type { Service } from "./world.ts"

const inputs = "petstore_database_transaction_inputs"
const cancelled = "petstore_database_cancellations_total"
/** A shared transaction with fewer creates hides what sharing can do wrong. */
const medianMin = 5
const readTimeoutMs = 1_000

/** Transactions that creates shared: how many, the bounds between which the median of their creates is, and the bound of the largest. */
type Groups = { count: number; above: number; median: number; largest: number }
/** What the processes count of shared transactions, and of statements that PostgreSQL cancelled, by its reason. */
export type Work = { groups: Groups; cancelled: Record<string, number> }

/** Measures from now on; `read` must be called before a process ends, whose counts end with it. */
export async function measureWork(replicas: readonly Service[]) {
  // A process has another address after a restart.
  const last = new Map<string, Sample[]>()
  async function read(): Promise<void> {
    await Promise.all(
      replicas.map(async ({ url }) => {
        const signal = AbortSignal.timeout(readTimeoutMs)
        const response = await fetch(`${url}/metrics`, { signal }).catch(() => undefined)
        if (response?.ok) last.set(url, samplesIn(await response.text()))
      }),
    )
  }
  await read()
  const first = new Map(last)
  const since = (name: string, labels: Record<string, string>): number =>
    [...last].reduce(
      (sum, [url, samples]) => sum + sumOf(samples, name, labels) - sumOf(first.get(url) ?? [], name, labels),
      0,
    )
  const labelsOf = (name: string, label: string): string[] => [
    ...new Set([...last.values()].flat().flatMap((one) => (one.name === name ? (one.labels[label] as string) : []))),
  ]
  return {
    read,
    work: (): Work => ({
      groups: groupsOf(labelsOf(`${inputs}_bucket`, "le").map((le) => [Number(le), since(`${inputs}_bucket`, { le })])),
      cancelled: Object.fromEntries(
        labelsOf(cancelled, "reason").map((reason) => [reason, since(cancelled, { reason })]),
      ),
    }),
  }
}

/** Of the counts up to each bound, in ascending order. */
function groupsOf(upTo: readonly (readonly [bound: number, count: number])[]): Groups {
  const count = upTo.at(-1)?.[1] ?? 0
  const at = upTo.findIndex(([, those]) => those * 2 > count)
  const [above = 0] = upTo[at - 1] ?? []
  const [median = 0] = upTo[at] ?? []
  const [largest = 0] = upTo.find(([, those]) => those === count) ?? []
  return { count, above, median, largest }
}

/** Why a run has shown nothing about shared transactions; undefined if it has. In a short one a single large transaction suffices. */
export function lackOfSharing({ groups: { count, above, largest } }: Work): string | undefined {
  if (isThorough ? above + 1 >= medianMin : largest > medianMin) return undefined
  return `the median of the creates in ${count} shared transactions is below ${medianMin}, the largest has ${largest} at most`
}
