import { timeIn } from "../../../core/kernel/clock.ts"
import { counted } from "../../../core/kernel/counted.ts"
import { createYielder } from "../../../core/kernel/flow/yielder.ts"
import type { RequestMatcher } from "../matching/contract.ts"
import { differencesOf, factDifferencesOf, isSoughtByFacts, maybeSought } from "../matching/rules.ts"
import type { JournalEntry, RequestJournal } from "../model.ts"
import type { RequestExpectation } from "./contract.ts"
import { factsOf, showEntry } from "./recorded-request.ts"
import { repeatUntil } from "./repeat-until.ts"

/** What the requests are that were recorded. */
type Judgement = {
  /** Oldest first. */
  matching: readonly JournalEntry[]
  /** Newest first. */
  others: readonly JournalEntry[]
  failed: string | undefined
  /** Whether some that might match are no longer kept. */
  isIncomplete: boolean
  /** Whether no further request can change the verdict. */
  isFinal: boolean
}

/** Judges the recorded requests; with `ended` again whenever some were added, until that is final or `ended` resolves. */
export function judgeRequests(
  journal: RequestJournal,
  expected: RequestExpectation,
  compareWith: CompareWith,
  ended: Promise<unknown> | undefined,
): Promise<Judgement> {
  if (ended === undefined) return judgeNow(journal, expected, compareWith)
  return repeatUntil(
    ended,
    (listener) => journal.listen(listener),
    async () => {
      const value = await judgeNow(journal, expected, compareWith)
      return { value, isFinal: value.isFinal }
    },
  )
}

async function judgeNow(
  journal: RequestJournal,
  expected: RequestExpectation,
  compareWith: CompareWith,
): Promise<Judgement> {
  const since = expected.since === undefined ? Number.NEGATIVE_INFINITY : timeIn(expected.since)
  const newestFirst = journal.newest(undefined).filter(({ at }) => at >= since)
  const matching = await findMatching(newestFirst.toReversed(), expected, compareWith)
  const { inSequence } = expected
  const failed = inSequence ? whyNotAll(inSequence, matching.length) : whyNotSoMany(expected, matching.length)
  const removedUntil = journal.removedUntil()
  const isIncomplete = removedUntil !== undefined && removedUntil >= since
  const most = mostOf(expected)
  return {
    matching,
    others: failed ? without(newestFirst, matching) : [],
    failed,
    isIncomplete,
    isFinal: most === undefined ? !failed : matching.length > most || isIncomplete,
  }
}

function without(entries: readonly JournalEntry[], removed: readonly JournalEntry[]): JournalEntry[] {
  const known = new Set(removed)
  return entries.filter((one) => !known.has(one))
}

/** What the next request must have after so many were found; undefined when that is all. */
export const wantedAfter = (
  { inSequence, match = anyRequest }: RequestExpectation,
  found: number,
): RequestMatcher | undefined => (inSequence ? inSequence[found] : match)

export const anyRequest: RequestMatcher = {}

export const mostOf = ({ exactly, atMost }: RequestExpectation): number | undefined => exactly ?? atMost

export type Differences = readonly (keyof RequestMatcher)[]
/** Compares entries with what is wanted. */
type Comparison = {
  isAsWanted(entry: JournalEntry): boolean
  /** The members in which an entry differs; undefined once it was removed. */
  differencesOf(entry: JournalEntry): Differences | undefined
}
export type CompareWith = (wanted: RequestMatcher) => Comparison

/** Reads each entry once, and only those about which their facts do not decide. */
export function comparisonsOnce(): CompareWith {
  const known = new Map<RequestMatcher, Comparison>()
  return (wanted) => {
    const comparison = known.get(wanted) ?? comparisonWith(wanted)
    known.set(wanted, comparison)
    return comparison
  }
}

function comparisonWith(wanted: RequestMatcher): Comparison {
  const isCandidate = (entry: JournalEntry) => maybeSought(factsOf(entry), wanted)
  if (isSoughtByFacts(wanted))
    return { isAsWanted: isCandidate, differencesOf: (entry) => factDifferencesOf(factsOf(entry), wanted) }
  const known = new WeakMap<JournalEntry, Differences>()
  function read(entry: JournalEntry): Differences | undefined {
    const request = known.has(entry) ? undefined : showEntry(entry)
    if (request) known.set(entry, differencesOf(request, wanted))
    return known.get(entry)
  }
  return { isAsWanted: (entry) => isCandidate(entry) && read(entry)?.length === 0, differencesOf: read }
}

/** The entries that are each as wanted. */
async function findMatching(
  oldestFirst: readonly JournalEntry[],
  expected: RequestExpectation,
  compareWith: CompareWith,
): Promise<JournalEntry[]> {
  const turns = createYielder()
  await turns.start()
  const found: JournalEntry[] = []
  for (const entry of oldestFirst) {
    if (turns.isOver()) await turns.next()
    const wanted = wantedAfter(expected, found.length)
    if (!wanted) break
    if (compareWith(wanted).isAsWanted(entry)) found.push(entry)
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
