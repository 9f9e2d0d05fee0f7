import { createYielder, type Yielder } from "../../../core/kernel/flow/yielder.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import { factsOf, showEntry } from "../journal/recorded-request.ts"
import type { JournalEntry } from "../model.ts"
import { changesBetween } from "./changes.ts"
import type { RequestAttempt } from "./contract.ts"
import { compareAttempts } from "./group-attempts.ts"
import { toOutcome } from "./outcome.ts"
import { type ComparedEntry, readAttempts } from "./read-attempts.ts"

/** The latest of a group of attempts, and the memory that all of them take. */
type Latest = { id: number; bytes: number; group: readonly ComparedEntry[] }

/** The groups of attempts whose latest has an id below `before`, that of the latest request first. */
export async function latestAttempts(newestFirst: readonly JournalEntry[], before = Number.POSITIVE_INFINITY) {
  const groups = await readAttempts(newestFirst)
  return groups
    .map((group): Latest => {
      const bytes = group.reduce((total, { entry }) => total + entry.bytes, 0)
      return { id: group.at(-1)?.entry.id ?? 0, bytes, group }
    })
    .filter(({ id }) => id < before)
    .sort((a, b) => b.id - a.id)
}

/** The latest attempt of a group of which `find` finds one. */
export async function showIfFound(
  { id, group }: Latest,
  find: (entry: JournalEntry) => RecordedRequest | undefined,
  turns: Yielder,
): Promise<RecordedRequest | undefined> {
  for (const { entry } of group) {
    if (turns.isOver()) await turns.next()
    if (find(entry)) return showAttempt(id, group, turns)
  }
  return undefined
}

/** An entry as clients see it, with the attempts among these entries to which it belongs; undefined once it was removed. */
export async function showWithAttempts(one: JournalEntry, newestFirst: readonly JournalEntry[]) {
  const { method, caller } = factsOf(one)
  const similar = newestFirst.filter((entry) => entry.facts.method === method && factsOf(entry).caller === caller)
  const groups = await readAttempts(similar)
  const group = groups.find((attempts) => attempts.some(({ entry }) => entry === one)) ?? []
  return showAttempt(one.id, group, createYielder())
}

type Shown = { attempt: ComparedEntry; shown: RecordedRequest }

async function showAttempt(
  id: number,
  group: readonly ComparedEntry[],
  turns: Yielder,
): Promise<RecordedRequest | undefined> {
  let found: RecordedRequest | undefined
  let before: Shown | undefined
  const attempts: RequestAttempt[] = []
  for (const attempt of group) {
    if (turns.isOver()) await turns.next()
    const shown = showEntry(attempt.entry)
    if (!shown) continue
    if (shown.id === id) found = shown
    const now = { attempt, shown }
    attempts.push({ id: shown.id, outcome: toOutcome(shown), ...(before && since(before, now)) })
    before = now
  }
  return found && { ...found, attempts, ...compareAttempts(group) }
}

function since(before: Shown, now: Shown): Pick<RequestAttempt, "waitedMs" | "changes"> {
  const doBodiesDiffer = compareAttempts([before.attempt, now.attempt]).bodiesEqual === false
  const changes = changesBetween(before.shown.request, now.shown.request, doBodiesDiffer)
  return {
    waitedMs: Math.max(0, Math.round(now.attempt.arrivedAt - before.attempt.endedAt)),
    ...(changes.length > 0 && { changes }),
  }
}
