import type { VerbOf } from "../../domain/context.ts"
import type { sandbox } from "../../domain/sandbox/contract.ts"
import type { JournalEntry, RequestJournal } from "../../domain/sandbox/model.ts"
import { isSought } from "../../domain/sandbox/requests/contract.ts"
import { timeIn } from "../../kernel/clock.ts"
import { pageOf } from "../../kernel/page.ts"
import { inParameter } from "../../kernel/problem.ts"
import { entryPlace } from "../event-stream/journal-feed.ts"
import { showEntry } from "./recorded-request.ts"

/** The operations on the journal of a sandbox. */
export function requestVerbs(journal: RequestJournal) {
  const listRequests: VerbOf<typeof sandbox.listRequests> = (_ctx, { query, page: { limit, before } }) => {
    const since = query.since === undefined ? Number.NEGATIVE_INFINITY : timeIn(query.since)
    const found: JournalEntry[] = []
    for (const entry of journal.newest(before)) {
      if (found.length > limit) break
      if (entry.at >= since && isSought(entry.exchanged, query)) found.push(entry)
    }
    return pageOf(found, limit, showEntry)
  }

  const streamRequests: VerbOf<typeof sandbox.streamRequests> = async (ctx, { query: { after } }) => {
    const last = journal.last()
    const received = ctx.lastEventId === undefined || ctx.lastEventId === "" ? after : Number(ctx.lastEventId)
    if (received !== undefined && !Number.isSafeInteger(received))
      return ctx.refuse("invalid-parameter", inParameter("Last-Event-ID", "wrong-form", "must be the id of a request"))
    return { after: entryPlace(Math.min(received ?? last, last)), last: entryPlace(last) }
  }

  return { listRequests, streamRequests }
}
