import type { Static } from "typebox"
import type { Json } from "../../kernel/json.ts"
import type { EventKind, eventKinds } from "./contract.ts"

/** An event as its receivers see it. */
export type Event<Kind extends EventKind = EventKind> = {
  event: Kind
  data: Static<(typeof eventKinds)[Kind]["data"]>
  /** RFC 3339, UTC. */
  timestamp: string
}

/** The outbox: events written in the transaction of the change they tell of. */
export type EventStore = {
  /** Records that something happened `at` this time. `accountId` says whose event it is; without it, it is everybody's. */
  add<Kind extends EventKind>(kind: Kind, data: Event<Kind>["data"], at: number, accountId?: number): Promise<void>
  /** Up to `limit` events with an id above `after`, oldest first. */
  after(after: number, limit: number): Promise<{ id: number; json: Json<Event> }[]>
}
