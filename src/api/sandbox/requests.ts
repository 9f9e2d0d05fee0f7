import { api } from "../../domain/api.ts"
import type { VerbOf } from "../../domain/context.ts"
import { sandbox } from "../../domain/sandbox/contract.ts"
import { readRulePath } from "../../domain/sandbox/faults/rules.ts"
import type { JournalEntry, RequestJournal } from "../../domain/sandbox/model.ts"
import type { RecordedRequest, RequestExpectation, RequestMatcher } from "../../domain/sandbox/requests/contract.ts"
import { isSought, maybeSought } from "../../domain/sandbox/requests/rules.ts"
import { timeIn } from "../../kernel/clock.ts"
import { findNearest } from "../../kernel/did-you-mean.ts"
import { pageBytesMax } from "../../kernel/endpoint/page.ts"
import { createYielder } from "../../kernel/flow/yielder.ts"
import { type Json, json } from "../../kernel/json/json.ts"
import { at, inParameter, type Violation } from "../../kernel/problem.ts"
import { entryPosition } from "./journal-feed.ts"
import { credentialOf, showEntry } from "./recorded-request.ts"
import { verifyRequests } from "./verify-requests.ts"

export function requestVerbs(journal: RequestJournal) {
  const listRequests: VerbOf<typeof sandbox.listRequests> = async (ctx, { query, page: { limit, before } }) => {
    const { operation } = query
    if (operation !== undefined && !operations.has(operation))
      return ctx.refuse("invalid-parameter", inParameter("operation", "unknown", unknownOperation(operation)))
    const since = query.since === undefined ? Number.NEGATIVE_INFINITY : timeIn(query.since)
    const sought = withOwnPath(query, ctx.publicUrl())
    const found = journal.newest(before).filter((entry) => entry.at >= since && maybeSought(factsOf(entry), sought))
    return showPage(found, sought, limit)
  }

  const streamRequests: VerbOf<typeof sandbox.streamRequests> = async (ctx, { query: { after } }) => {
    const last = journal.last()
    const lastId = ctx.lastEventId
    if (lastId !== undefined && lastId !== "" && !(/^\d+$/.test(lastId) && Number.isSafeInteger(Number(lastId))))
      return ctx.refuse("invalid-parameter", inParameter("Last-Event-ID", "wrong-form", "must be the id of a request"))
    const received = lastId ? Number(lastId) : after
    return { after: entryPosition(Math.min(received ?? last, last)), last: entryPosition(last) }
  }

  const getRequest: VerbOf<typeof sandbox.getRequest> = (ctx, { params: { id } }) => {
    const [entry] = journal.newest(id + 1)
    return (entry?.id === id ? showEntry(entry) : undefined) ?? ctx.refuse("request-not-found")
  }

  const deleteRequests: VerbOf<typeof sandbox.deleteRequests> = () => {
    journal.clear()
    return { code: 200, type: "success", message: "The recorded requests are forgotten" }
  }

  const verify: VerbOf<typeof sandbox.verifyRequests> = (ctx, { body }) => {
    const violations = violationsOf(body)
    if (violations.length > 0) return ctx.refuse("invalid-body", violations)
    const url = ctx.publicUrl()
    const { match, inSequence } = body
    return verifyRequests(journal, {
      ...body,
      ...(match && { match: withOwnPath(match, url) }),
      ...(inSequence && { inSequence: inSequence.map((each) => withOwnPath(each, url)) }),
    })
  }

  return { listRequests, streamRequests, getRequest, deleteRequests, verifyRequests: verify }
}

/** A path may have the base paths with which requests are recorded. */
const withOwnPath = ({ path, ...others }: RequestMatcher, publicUrl: string): RequestMatcher =>
  path === undefined ? others : { ...others, path: readRulePath(path, publicUrl) ?? path }

function violationsOf({ match, exactly, atLeast, atMost, inSequence }: RequestExpectation): Violation[] {
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
    ...matchers.flatMap(([pointer, { operation }]) =>
      operation === undefined || operations.has(operation)
        ? []
        : at(`${pointer}/operation`, "unknown", unknownOperation(operation)),
    ),
  ]
}

const factsOf = ({ facts: { operation, method, status, caller } }: JournalEntry) => ({
  method,
  ...(operation !== undefined && { operation }),
  ...(status !== undefined && { status }),
  ...(caller && { caller: credentialOf(caller) }),
})

/** Shows entries in slices of time; a page ends early where what it shows, or what it searched for credentials, is much. */
async function showPage(found: readonly JournalEntry[], sought: RequestMatcher, limit: number) {
  const turns = createYielder()
  const items: Json<RecordedRequest>[] = []
  const bytes = { shown: 0, examined: 0 }
  let last: JournalEntry | undefined
  await turns.start()
  for (const entry of found) {
    if (items.length === limit) break
    if (turns.isOver()) await turns.next()
    bytes.examined += entry.bytes
    if (bytes.examined > examinedBytesMax && last) break
    const request = showEntry(entry)
    if (request && isSought(request, sought)) {
      const item = json(request)
      bytes.shown += Buffer.byteLength(item)
      if (bytes.shown > pageBytesMax && items.length > 0) break
      items.push(item)
    }
    last = entry
  }
  return { items, next: last && last !== found.at(-1) ? last.id : undefined }
}

/** The memory of the entries that a page searches for credentials. */
const examinedBytesMax = 2 * pageBytesMax

const operations: ReadonlySet<string> = new Set([...Object.keys(api), ...Object.keys(sandbox)])

function unknownOperation(name: string): string {
  const nearest = findNearest(name, operations)
  return `is not the operationId of an operation${nearest === undefined ? "" : `; did you mean ${nearest}?`}`
}
