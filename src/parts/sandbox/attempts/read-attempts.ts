import { createYielder } from "../../../core/kernel/flow/yielder.ts"
import { factsOf } from "../journal/recorded-request.ts"
import type { JournalEntry, RecordedMessages } from "../model.ts"
import { groupAttempts, type Sent } from "./group-attempts.ts"

/** An entry of a journal with what it is compared by. */
export type ComparedEntry = Sent & { entry: JournalEntry }

/** The entries in groups of attempts, oldest first. Nothing of it is kept, so that recording a request costs nothing more. */
export async function readAttempts(newestFirst: readonly JournalEntry[]): Promise<ComparedEntry[][]> {
  const turns = createYielder()
  await turns.start()
  const attempts: ComparedEntry[] = []
  for (const entry of newestFirst.toReversed()) {
    if (turns.isOver()) await turns.next()
    const messages = entry.read()
    if (messages) attempts.push(toCompared(entry, messages))
  }
  return groupAttempts(attempts)
}

function toCompared(
  entry: JournalEntry,
  { path, query, requestHeaders, requestBody }: RecordedMessages,
): ComparedEntry {
  const { at, facts } = entry
  const { method, caller } = factsOf(entry)
  const isBodyKnown = !facts.isBodyUnread && (requestBody ? !requestBody.isCut : !hasBody(requestHeaders))
  return {
    entry,
    arrivedAt: at,
    endedAt: at + facts.durationMs,
    target: [caller, facts.webhookId, method, path, query].join("\0"),
    key: headerOf(requestHeaders, "idempotency-key"),
    body: isBodyKnown ? Buffer.from(requestBody?.bytes ?? []).toString("latin1") : undefined,
  }
}

/** Whether a request has a body (RFC 9112, section 6.3). */
const hasBody = (headers: readonly string[]): boolean =>
  Number(headerOf(headers, "content-length")) > 0 || headerOf(headers, "transfer-encoding") !== undefined

/** The value of a header; names and values are in turn. */
function headerOf(headers: readonly string[], name: string): string | undefined {
  const n = headers.findIndex((text, n) => n % 2 === 0 && text.toLowerCase() === name)
  return n < 0 ? undefined : headers[n + 1]
}
