import { createYielder } from "../../../core/kernel/flow/yielder.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { RequestMatcher } from "../matching/contract.ts"
import { factDifferencesOf } from "../matching/rules.ts"
import type { JournalEntry, RequestJournal } from "../model.ts"
import type { RequestExpectation } from "./contract.ts"
import {
  anyRequest,
  type CompareWith,
  comparisonsOnce,
  type Differences,
  judgeRequests,
  mostOf,
  wantedAfter,
} from "./judge-requests.ts"
import { factsOf, showEntry } from "./recorded-request.ts"

const idsMax = 100
const nearestMax = 5

/**
 * The requests that match, oldest first; the problem says how they differ from what was expected. With `ended`, once further requests
 * cannot change that, or when `ended` resolves.
 */
export async function verifyRequests(journal: RequestJournal, expected: RequestExpectation, ended?: Promise<unknown>) {
  const compareWith = comparisonsOnce()
  const { matching, others, failed, isIncomplete } = await judgeRequests(journal, expected, compareWith, ended)
  const counted = { count: matching.length, ids: matching.slice(0, idsMax).map(({ id }) => id) }
  if (!failed) {
    if (isIncomplete && mostOf(expected) !== undefined)
      throw unexpected(
        `${counted.count} match among those kept, but earlier requests are no longer kept. ${advice}`,
        counted,
        [],
      )
    return counted
  }
  const wanted = wantedAfter(expected, matching.length) ?? anyRequest
  const lost = isIncomplete ? ` Earlier requests are no longer kept. ${advice}` : ""
  throw unexpected(`${failed}.${lost}`, counted, await nearestTo(others, wanted, compareWith))
}

const advice = "DELETE /sandbox/requests before what is verified, or give since"

const unexpected = (detail: string, counted: object, nearest: readonly object[]) =>
  new Problem("requests-unexpected", detail, { members: { ...counted, nearest } })

type Near = { entry: JournalEntry; id: number; differs: Differences }

/** Those that differ in the fewest members, the latest first. Compares them in the order of their facts, until no other can be nearer. */
async function nearestTo(newestFirst: readonly JournalEntry[], wanted: RequestMatcher, compareWith: CompareWith) {
  const turns = createYielder()
  const byFacts = newestFirst
    .map((entry) => ({ entry, id: entry.id, differs: factDifferencesOf(factsOf(entry), wanted) }))
    .sort(nearestFirst)
  const comparison = compareWith(wanted)
  let nearest: Near[] = []
  for (const candidate of byFacts) {
    const last = nearest[nearestMax - 1]
    if (last && nearestFirst(last, candidate) < 0) break
    if (turns.isOver()) await turns.next()
    const differs = comparison.differencesOf(candidate.entry)
    if (differs) nearest = [...nearest, { ...candidate, differs }].sort(nearestFirst).slice(0, nearestMax)
  }
  return nearest.flatMap(showNear)
}

const nearestFirst = (a: Pick<Near, "id" | "differs">, b: Pick<Near, "id" | "differs">): number =>
  a.differs.length - b.differs.length || b.id - a.id

function showNear({ entry, differs }: Near) {
  const request = showEntry(entry)
  if (!request) return []
  const { id, method, path, status } = request
  return [{ id, method, path, ...(status !== undefined && { status }), differs }]
}
