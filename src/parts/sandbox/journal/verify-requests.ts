import { timeIn } from "../../../core/kernel/clock.ts"
import { counted } from "../../../core/kernel/counted.ts"
import { createYielder } from "../../../core/kernel/flow/yielder.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { JournalEntry, RequestJournal } from "../model.ts"
import type { RecordedRequest, RequestExpectation, RequestMatcher } from "./contract.ts"
import { factsOf, showEntry } from "./recorded-request.ts"
import { differencesOf, factDifferencesOf, isSought, isSoughtByFacts, maybeSought } from "./rules.ts"

const idsMax = 100
const nearestMax = 5

/** The requests that match, oldest first; the problem says how they differ from what was expected. */
export async function verifyRequests(journal: RequestJournal, expected: RequestExpectation) {
  const since = expected.since === undefined ? Number.NEGATIVE_INFINITY : timeIn(expected.since)
  const newestFirst = journal.newest(undefined).filter(({ at }) => at >= since)
  const { inSequence, match = {} } = expected
  const read = entryReader()
  const matching = await findMatching(
    newestFirst.toReversed(),
    (found) => (inSequence ? inSequence[found] : match),
    read,
  )
  const failed = inSequence ? whyNotAll(inSequence, matching.length) : whyNotSoMany(expected, matching.length)
  const removedUntil = journal.removedUntil()
  const isIncomplete = removedUntil !== undefined && removedUntil >= since
  const counted = { count: matching.length, ids: matching.slice(0, idsMax).map(({ id }) => id) }
  if (!failed) {
    if (isIncomplete && (expected.exactly ?? expected.atMost) !== undefined)
      throw unexpected(
        `${counted.count} match among those kept, but earlier requests are no longer kept. ${advice}`,
        counted,
        [],
      )
    return counted
  }
  const wanted = inSequence?.[matching.length] ?? match
  const matched = new Set(matching)
  const others = newestFirst.filter((one) => !matched.has(one))
  const lost = isIncomplete ? ` Earlier requests are no longer kept. ${advice}` : ""
  throw unexpected(`${failed}.${lost}`, counted, await nearestTo(others, wanted, read))
}

const advice = "DELETE /sandbox/requests before what is verified, or give since"

const unexpected = (detail: string, counted: object, nearest: readonly Near[]) =>
  new Problem("requests-unexpected", detail, { members: { ...counted, nearest } })

type Read = (entry: JournalEntry) => RecordedRequest | undefined

/** Reads each entry once; undefined for one that was removed before. */
function entryReader(): Read {
  const shown = new Map<JournalEntry, RecordedRequest | undefined>()
  return (entry) => {
    if (!shown.has(entry)) shown.set(entry, showEntry(entry))
    return shown.get(entry)
  }
}

/** The entries that are each as wanted after so many were found. Reads those only about which their facts do not decide. */
async function findMatching(
  oldestFirst: readonly JournalEntry[],
  wantedAfter: (found: number) => RequestMatcher | undefined,
  read: Read,
): Promise<JournalEntry[]> {
  const turns = createYielder()
  await turns.start()
  const found: JournalEntry[] = []
  for (const entry of oldestFirst) {
    if (turns.isOver()) await turns.next()
    const wanted = wantedAfter(found.length)
    if (!wanted) break
    if (!maybeSought(factsOf(entry), wanted)) continue
    const isKnown = isSoughtByFacts(wanted)
    const request = isKnown ? undefined : read(entry)
    if (isKnown || (request && isSought(request, wanted))) found.push(entry)
  }
  return found
}

const whyNotAll = ({ length }: readonly RequestMatcher[], found: number): string | undefined =>
  found === length
    ? undefined
    : `Expected ${counted(length, "request")} in this order, found the first ${found} of them`

function whyNotSoMany({ exactly, atLeast, atMost }: RequestExpectation, count: number): string | undefined {
  const least = exactly ?? atLeast ?? (atMost === undefined ? 1 : 0)
  const most = exactly ?? atMost ?? Number.POSITIVE_INFINITY
  if (count >= least && count <= most) return undefined
  const words = [
    ...(exactly === undefined ? [] : [`exactly ${exactly}`]),
    ...(exactly === undefined && least > 0 ? [`at least ${least}`] : []),
    ...(exactly === undefined && atMost !== undefined ? [`at most ${atMost}`] : []),
  ]
  return `Expected ${words.join(" and ")} matching ${words.at(-1)?.endsWith(" 1") ? "request" : "requests"}, found ${count}`
}

type Near = Pick<RecordedRequest, "id" | "method" | "path" | "status"> & { differs: (keyof RequestMatcher)[] }

/** Those that differ in the fewest members, the latest first. Reads them in the order of their facts, until no other can be nearer. */
async function nearestTo(newestFirst: readonly JournalEntry[], wanted: RequestMatcher, read: Read): Promise<Near[]> {
  const turns = createYielder()
  const byFacts = newestFirst
    .map((entry) => ({ entry, id: entry.id, differs: factDifferencesOf(factsOf(entry), wanted) }))
    .sort(nearestFirst)
  let nearest: Near[] = []
  for (const candidate of byFacts) {
    const last = nearest[nearestMax - 1]
    if (last && nearestFirst(last, candidate) < 0) break
    if (turns.isOver()) await turns.next()
    const request = read(candidate.entry)
    if (request) nearest = [...nearest, toNear(request, wanted)].sort(nearestFirst).slice(0, nearestMax)
  }
  return nearest
}

const nearestFirst = (a: Pick<Near, "id" | "differs">, b: Pick<Near, "id" | "differs">): number =>
  a.differs.length - b.differs.length || b.id - a.id

const toNear = (one: RecordedRequest, wanted: RequestMatcher): Near => ({
  id: one.id,
  method: one.method,
  path: one.path,
  ...(one.status !== undefined && { status: one.status }),
  differs: differencesOf(one, wanted),
})
