import { api } from "../../domain/api.ts"
import type { VerbOf } from "../../domain/context.ts"
import { sandbox } from "../../domain/sandbox/contract.ts"
import type { JournalEntry, RequestJournal } from "../../domain/sandbox/model.ts"
import { isSought, type RecordedRequest } from "../../domain/sandbox/requests/contract.ts"
import { timeIn } from "../../kernel/clock.ts"
import { findNearest } from "../../kernel/did-you-mean.ts"
import { pageBytesMax } from "../../kernel/endpoint/page.ts"
import { createYielder } from "../../kernel/flow/yielder.ts"
import type { Json } from "../../kernel/json/json.ts"
import { inParameter } from "../../kernel/problem.ts"
import { entryPosition } from "./journal-feed.ts"
import { showEntry } from "./recorded-request.ts"

export function requestVerbs(journal: RequestJournal) {
  const listRequests: VerbOf<typeof sandbox.listRequests> = async (ctx, { query, page: { limit, before } }) => {
    const { operation } = query
    if (operation !== undefined && !operations.has(operation))
      return ctx.refuse("invalid-parameter", inParameter("operation", "unknown", unknownOperation(operation)))
    const since = query.since === undefined ? Number.NEGATIVE_INFINITY : timeIn(query.since)
    const found = journal.newest(before).filter((entry) => entry.at >= since && isSought(entry.facts, query))
    return showPage(found, limit)
  }

  const streamRequests: VerbOf<typeof sandbox.streamRequests> = async (ctx, { query: { after } }) => {
    const last = journal.last()
    const lastId = ctx.lastEventId
    if (lastId !== undefined && lastId !== "" && !(/^\d+$/.test(lastId) && Number.isSafeInteger(Number(lastId))))
      return ctx.refuse("invalid-parameter", inParameter("Last-Event-ID", "wrong-form", "must be the id of a request"))
    const received = lastId ? Number(lastId) : after
    return { after: entryPosition(Math.min(received ?? last, last)), last: entryPosition(last) }
  }

  return { listRequests, streamRequests }
}

/** Shows entries in slices of time; a page ends early where what it shows, or what it searched for credentials, is much. */
async function showPage(found: readonly JournalEntry[], limit: number) {
  const turns = createYielder()
  const items: Json<RecordedRequest>[] = []
  const bytes = { shown: 0, examined: 0 }
  let last: JournalEntry | undefined
  await turns.start()
  for (const entry of found.slice(0, limit)) {
    if (turns.isOver()) await turns.next()
    bytes.examined += entry.bytes
    if (bytes.examined > examinedBytesMax && items.length > 0) break
    const item = showEntry(entry)
    bytes.shown += Buffer.byteLength(item ?? "")
    if (bytes.shown > pageBytesMax && items.length > 0) break
    last = entry
    if (item !== undefined) items.push(item)
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
