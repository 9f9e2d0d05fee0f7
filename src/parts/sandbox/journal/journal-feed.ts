import { setImmediate as nextTurn } from "node:timers/promises"
import type { Feed, Listener } from "../../../core/api/feeds/feed.ts"
import type { StreamPosition } from "../../../core/domain/events/model.ts"
import { onDemand } from "../../../core/kernel/flow/on-demand.ts"
import { createYielder } from "../../../core/kernel/flow/yielder.ts"
import type { JournalEntry, RequestJournal } from "../model.ts"
import { showEntry } from "./recorded-request.ts"

/** Entries sent at once; each may have 32 KiB of bodies. */
const batchSize = 20

/** The position after a journal entry; clients resume after its id. */
export const entryPosition = ({ position, id }: Pick<JournalEntry, "position" | "id">): StreamPosition => ({
  position,
  id: String(id),
})

/** Sends the entries of a journal to listeners. One that is so slow that entries are removed before it reads them misses those. */
export function openJournalFeed(journal: RequestJournal): Feed {
  const listeners = new Set<Listener>()
  const sending = onDemand(async () => {
    while (await sendToAll()) await nextTurn()
  })
  const stopListening = journal.listen(check)

  /** Listeners that are equally far receive the same entries, which are searched for credentials once. */
  const shown = new Map<JournalEntry, { id: string; json: string }[]>()

  function showOnce(entry: JournalEntry): { id: string; json: string }[] {
    const earlier = shown.get(entry)
    if (earlier) return earlier
    const request = showEntry(entry)
    const messages = request === undefined ? [] : [{ id: String(entry.id), json: JSON.stringify(request) }]
    shown.set(entry, messages)
    return messages
  }

  /** Returns whether there may be more. */
  async function sendToAll(): Promise<boolean> {
    const turns = createYielder()
    let isMore = false
    for (const listener of [...listeners]) {
      if (turns.isOver()) await turns.next()
      if (listeners.has(listener) && sendSome(listener)) isMore = true
    }
    shown.clear()
    return isMore
  }

  function sendSome(listener: Listener): boolean {
    const entries = listener.isReady() ? journal.after(listener.reached.position, batchSize) : []
    const last = entries.at(-1)
    if (!last) return false
    listener.reached = entryPosition(last)
    listener.send(entries.flatMap(showOnce))
    return true
  }

  function check(): void {
    if (listeners.size > 0) sending.ask()
  }

  return {
    add(listener) {
      listeners.add(listener)
      check()
    },
    remove: (listener) => void listeners.delete(listener),
    check,
    idle: async () => sending.underWay(),
    close: stopListening,
  }
}
