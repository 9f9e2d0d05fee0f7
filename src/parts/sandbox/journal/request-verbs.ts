import { api } from "../../../core/domain/api.ts"
import type { ContextPart, VerbOf } from "../../../core/domain/context.ts"
import { timeIn } from "../../../core/kernel/clock.ts"
import { findNearest } from "../../../core/kernel/did-you-mean.ts"
import { durationMs } from "../../../core/kernel/duration.ts"
import { JsonResponse } from "../../../core/kernel/endpoint/json-response.ts"
import { pageBytesMax } from "../../../core/kernel/endpoint/page.ts"
import { createYielder, type Yielder } from "../../../core/kernel/flow/yielder.ts"
import { type Json, json } from "../../../core/kernel/json/json.ts"
import { at, inParameter, type Violation } from "../../../core/kernel/problem.ts"
import { latestAttempts, showIfFound, showWithAttempts } from "../attempts/show-attempts.ts"
import { sandbox } from "../contract.ts"
import type { Delays } from "../faults/delayed-responses.ts"
import { readRulePath } from "../faults/rules.ts"
import { harOf, toHarEntry } from "../har/har.ts"
import type { RequestMatcher } from "../matching/contract.ts"
import { impossibleIn } from "../matching/impossible-requests.ts"
import { isSought, maybeSought } from "../matching/rules.ts"
import type { JournalEntry, RequestJournal } from "../model.ts"
import type { RecordedRequest, RequestExpectation } from "./contract.ts"
import { entryPosition } from "./journal-feed.ts"
import { factsOf, showEntry } from "./recorded-request.ts"
import { waitMsMax, waitTooLong } from "./repeat-until.ts"
import { verifyRequests } from "./verify-requests.ts"

/** `waits` bounds and ends the waits for requests. */
export function requestVerbs(journal: RequestJournal, waits: Pick<Delays, "enter" | "pause">) {
  /** Whether an entry may be sought, by what is known without what was sent; and the entry as clients see it, if it is. */
  function seek(
    ctx: ContextPart<"publicUrl", "invalid-parameter">,
    { since, ...query }: RequestMatcher & { since?: string },
  ): { isCandidate(entry: JournalEntry): boolean; find(entry: JournalEntry): RecordedRequest | undefined } {
    const wrong = wrongIn(query, ctx.publicUrl()).flatMap(([name, code, detail]) => inParameter(name, code, detail))
    if (wrong.length > 0) return ctx.refuse("invalid-parameter", wrong)
    const from = since === undefined ? Number.NEGATIVE_INFINITY : timeIn(since)
    const sought = withOwnPath(query, ctx.publicUrl())
    const isCandidate = (entry: JournalEntry) => entry.at >= from && maybeSought(factsOf(entry), sought)
    return { isCandidate, find: (entry) => (isCandidate(entry) ? showSought(entry, sought) : undefined) }
  }

  const listRequests: VerbOf<typeof sandbox.listRequests> = async (ctx, { query, page: { limit, before } }) => {
    const { isCandidate, find } = seek(ctx, query)
    if (query.group === undefined) return showPage(journal.newest(before).filter(isCandidate), limit, find)
    const groups = await latestAttempts(journal.newest(undefined), before)
    const candidates = groups.filter(({ group }) => group.some(({ entry }) => isCandidate(entry)))
    return showPage(candidates, limit, (latest, turns) => showIfFound(latest, find, turns))
  }

  const exportRequests: VerbOf<typeof sandbox.exportRequests> = async (ctx, { query: { limit, ...query } }) => {
    const { isCandidate, find } = seek(ctx, query)
    const url = ctx.publicUrl()
    const found = journal.newest(undefined).filter(isCandidate)
    const { shown, isComplete } = await showAll(found, limit, find, (request) => json(toHarEntry(request, url)))
    return new JsonResponse(harOf(shown.reverse(), isComplete))
  }

  const streamRequests: VerbOf<typeof sandbox.streamRequests> = async (ctx, { query: { after } }) => {
    const lastId = ctx.lastEventId
    if (lastId !== undefined && lastId !== "" && !(/^\d+$/.test(lastId) && Number.isSafeInteger(Number(lastId))))
      return ctx.refuse("invalid-parameter", inParameter("Last-Event-ID", "wrong-form", "must be the id of a request"))
    const received = lastId ? Number(lastId) : after
    return { after: entryPosition(journal.positionAfter(received)), last: entryPosition(journal.positionAfter()) }
  }

  const getRequest: VerbOf<typeof sandbox.getRequest> = async (ctx, { params: { id } }) => {
    const all = journal.newest(undefined)
    const entry = all.find((one) => one.id === id)
    return (entry && (await showWithAttempts(entry, all))) ?? ctx.refuse("request-not-found")
  }

  const deleteRequests: VerbOf<typeof sandbox.deleteRequests> = () => {
    journal.clear()
    return { code: 200, type: "success", message: "The recorded requests are forgotten" }
  }

  const verify: VerbOf<typeof sandbox.verifyRequests> = (ctx, { body }) => {
    const url = ctx.publicUrl()
    const violations = violationsOf(body, url)
    if (violations.length > 0) return ctx.refuse("invalid-body", violations)
    const { match, inSequence, within } = body
    const expected = {
      ...body,
      ...(match && { match: withOwnPath(match, url) }),
      ...(inSequence && { inSequence: inSequence.map((each) => withOwnPath(each, url)) }),
    }
    const { caller, address, response } = ctx
    if (within === undefined || !response) return verifyRequests(journal, expected)
    waits.enter({ caller, address, response })
    return verifyRequests(journal, expected, waits.pause({ response }, durationMs(within)))
  }

  return { listRequests, exportRequests, streamRequests, getRequest, deleteRequests, verifyRequests: verify }
}

/** A path may have the base paths with which requests are recorded. */
const withOwnPath = ({ path, ...others }: RequestMatcher, publicUrl: string): RequestMatcher =>
  path === undefined ? others : { ...others, path: readRulePath(path, publicUrl) ?? path }

/** The members of a matcher with which it can match nothing. */
const wrongIn = (sought: RequestMatcher, publicUrl: string): [name: string, code: string, detail: string][] => [
  ...(sought.operation === undefined || operations.has(sought.operation)
    ? []
    : [["operation", "unknown", unknownOperation(sought.operation)] as [string, string, string]]),
  ...impossibleIn(sought, publicUrl).map(([name, detail]): [string, string, string] => [name, "not-allowed", detail]),
]

function violationsOf(expected: RequestExpectation, publicUrl: string): Violation[] {
  const { match, exactly, atLeast, atMost, inSequence, within } = expected
  const counts = [exactly, atLeast, atMost].filter((each) => each !== undefined).length
  const matchers: [string, RequestMatcher][] = [
    ...(match ? [["/match", match] as [string, RequestMatcher]] : []),
    ...(inSequence ?? []).map((each, n): [string, RequestMatcher] => [`/inSequence/${n}`, each]),
  ]
  return [
    ...(inSequence && (match || counts > 0)
      ? at("/inSequence", "not-allowed", "must not be beside match, exactly, atLeast and atMost")
      : []),
    ...(exactly !== undefined && counts > 1
      ? at("/exactly", "not-allowed", "must not be beside atLeast and atMost")
      : []),
    ...(atLeast !== undefined && atMost !== undefined && atLeast > atMost
      ? at("/atLeast", "too-large", "must not be more than atMost")
      : []),
    ...(within !== undefined && durationMs(within) > waitMsMax ? at("/within", "too-large", waitTooLong) : []),
    ...matchers.flatMap(([pointer, matcher]) =>
      wrongIn(matcher, publicUrl).flatMap(([name, code, detail]) => at(`${pointer}/${name}`, code, detail)),
    ),
  ]
}

function showSought(entry: JournalEntry, sought: RequestMatcher): RecordedRequest | undefined {
  const request = showEntry(entry)
  return request && isSought(request, sought) ? request : undefined
}

/**
 * Shows what `show` finds sought, in slices of time; a page ends early where what it shows, or what it searched for credentials, is
 * much.
 */
async function showPage<One extends Pick<JournalEntry, "id" | "bytes">>(
  found: readonly One[],
  limit: number,
  show: (one: One, turns: Yielder) => RecordedRequest | undefined | Promise<RecordedRequest | undefined>,
) {
  const turns = createYielder()
  const items: Json<RecordedRequest>[] = []
  const bytes = { shown: 0, examined: 0 }
  let last: One | undefined
  await turns.start()
  for (const one of found) {
    if (items.length === limit) break
    if (turns.isOver()) await turns.next()
    bytes.examined += one.bytes
    if (bytes.examined > examinedBytesMax && last) break
    const request = await show(one, turns)
    if (request) {
      const item = json(request)
      bytes.shown += Buffer.byteLength(item)
      if (bytes.shown > pageBytesMax && items.length > 0) break
      items.push(item)
    }
    last = one
  }
  return { items, next: last && last !== found.at(-1) ? last.id : undefined }
}

/** Shows the newest in slices of time, up to a size that is always sent. */
async function showAll<T>(
  found: readonly JournalEntry[],
  limit: number | undefined,
  find: (entry: JournalEntry) => RecordedRequest | undefined,
  show: (request: RecordedRequest) => Json<T>,
): Promise<{ shown: Json<T>[]; isComplete: boolean }> {
  const turns = createYielder()
  const shown: Json<T>[] = []
  let bytes = 0
  await turns.start()
  for (const entry of found) {
    if (shown.length === limit) break
    if (turns.isOver()) await turns.next()
    const request = find(entry)
    if (!request) continue
    const item = show(request)
    bytes += Buffer.byteLength(item)
    if (bytes > exportBytesMax) return { shown, isComplete: false }
    shown.push(item)
  }
  return { shown, isComplete: true }
}

/** Less than the longest response that is sent as a whole. */
const exportBytesMax = 15 * 1024 * 1024

/** The memory of the entries that a page searches for credentials. */
const examinedBytesMax = 2 * pageBytesMax

const operations: ReadonlySet<string> = new Set([...Object.keys(api), ...Object.keys(sandbox)])

function unknownOperation(name: string): string {
  const nearest = findNearest(name, operations)
  return `is not the operationId of an operation${nearest === undefined ? "" : `; did you mean ${nearest}?`}`
}
