import type { EventStore } from "../../domain/events/store.ts"
import type { Store } from "../../domain/ports/store.ts"
import { theOnly } from "../../kernel/flow/the-only.ts"
import type { RequestJudgement } from "../../server/exchange/exchange.ts"

type Noted = RequestJudgement["events"]

/** A store that notes the events of its transactions. Shared work gets a transaction of its own. */
export function notingStore(store: Store, judgement: Pick<RequestJudgement, "events">): Store {
  const transaction: Store["transaction"] = async (work) => {
    let noted: Noted = []
    const result = await store.transaction((tx) => {
      // The work may run again.
      noted = []
      return work({ ...tx, events: notingEvents(tx.events, noted) })
    })
    judgement.events.push(...noted)
    return result
  }

  return {
    ...store,
    transaction,
    shared: async (work, input) => theOnly(await transaction((tx) => work(tx, [input]))),
  }
}

const notingEvents = (events: EventStore, noted: Noted): EventStore => ({
  ...events,
  async add(kind, data, at, accountId) {
    const number = await events.add(kind, data, at, accountId)
    noted.push({ number, event: kind })
    return number
  },
  async addAll(added) {
    const numbers = await events.addAll(added)
    added.forEach(({ kind }, n) => void noted.push({ number: numbers[n] as number, event: kind }))
    return numbers
  },
})

/** Gives the events that are committed their public ids. */
export async function nameEvents(store: Store, { events }: Pick<RequestJudgement, "events">): Promise<void> {
  const numbers = events.map(({ number }) => number)
  if (numbers.length === 0) return
  const first = Math.min(...numbers)
  const stored = await store.events.after(first - 1, Math.max(...numbers) - first + 1)
  const idOf = new Map(stored.map(({ id, publicId }) => [id, publicId]))
  for (const event of events) event.id = idOf.get(event.number)
}
