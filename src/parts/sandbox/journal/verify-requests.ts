import { timeIn } from "../../../core/kernel/clock.ts"
import { counted } from "../../../core/kernel/counted.ts"
import { createYielder } from "../../../core/kernel/flow/yielder.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { JournalEntry, RequestJournal } from "../model.ts"
import type { RecordedRequest, RequestExpectation, RequestMatcher } from "./contract.ts"
import { showEntry } from "./recorded-request.ts"
import { differencesOf } from "./rules.ts"

const idsMax = 100
const nearestMax = 5

/** The requests that match, oldest first; the problem says how they differ from what was expected. */
export async function verifyRequests(journal: RequestJournal, expected: RequestExpectation) {
  const since = expected.since === undefined ? Number.NEGATIVE_INFINITY : timeIn(expected.since)
  const requests = await readAll(journal.newest(undefined).filter(({ at }) => at >= since))
  const { inSequence } = expected
  const matching = inSequence ? sequenceIn(requests, inSequence) : requests.filter((one) => isLike(one, expected.match))
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
  const wanted = inSequence ? inSequence[matching.length] : expected.match
  const others = requests.filter((one) => !matching.includes(one))
  const lost = isIncomplete ? ` Earlier requests are no longer kept. ${advice}` : ""
  throw unexpected(`${failed}.${lost}`, counted, nearestTo(others, wanted ?? {}))
}

const advice = "DELETE /sandbox/requests before what is verified, or give since"

const unexpected = (detail: string, counted: object, nearest: readonly Near[]) =>
  new Problem("requests-unexpected", detail, { members: { ...counted, nearest } })

const isLike = (one: RecordedRequest, wanted: RequestMatcher = {}): boolean => differencesOf(one, wanted).length === 0

/** What is recorded of entries that are given newest first, oldest first; without those removed meanwhile. */
async function readAll(newestFirst: readonly JournalEntry[]): Promise<RecordedRequest[]> {
  const turns = createYielder()
  await turns.start()
  const requests: RecordedRequest[] = []
  for (const entry of newestFirst.toReversed()) {
    if (turns.isOver()) await turns.next()
    const shown = showEntry(entry)
    if (shown) requests.push(shown)
  }
  return requests
}

/** The first request for each matcher after that of the one before, as far as there are any. */
function sequenceIn(requests: readonly RecordedRequest[], matchers: readonly RequestMatcher[]): RecordedRequest[] {
  const found: RecordedRequest[] = []
  for (const one of requests) {
    const next = matchers[found.length]
    if (next && isLike(one, next)) found.push(one)
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

/** Those that differ in the fewest members, the latest first. */
const nearestTo = (requests: readonly RecordedRequest[], wanted: RequestMatcher): Near[] =>
  requests
    .toReversed()
    .map((one) => ({ one, differs: differencesOf(one, wanted) }))
    .sort((a, b) => a.differs.length - b.differs.length)
    .slice(0, nearestMax)
    .map(({ one: { id, method, path, status }, differs }) => ({
      id,
      method,
      path,
      ...(status !== undefined && { status }),
      differs,
    }))
