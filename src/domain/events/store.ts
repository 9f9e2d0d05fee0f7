import type { Static } from "typebox"
import type { Json } from "../../kernel/json/json.ts"
import type { EventKind, eventKinds } from "./contract.ts"

/** An event as its receivers see it. */
export type Event<Kind extends EventKind = EventKind> = {
  event: Kind
  data: Static<(typeof eventKinds)[Kind]["data"]>
  /** RFC 3339, UTC. */
  timestamp: string
}

/** An event in the feed: `id` as in `EventId`, the payload as the exact text that is signed and sent. */
export type PublishedEvent = { id: string; json: Json<Event> }

/** The outbox: events written in the transaction of the change they tell of. */
export type EventStore = {
  /** Records an event `at` this time (ms) and returns its internal number. Without `accountId` every account sees it. */
  add<Kind extends EventKind>(kind: Kind, data: Event<Kind>["data"], at: number, accountId?: number): Promise<number>
  /** Up to `limit` records above this internal number, in the order they were written, published or not. */
  after(after: number, limit: number): Promise<{ id: number; json: Json<Event> }[]>
  /**
   * Gives up to `limit` committed events their place in the feed, in order, with a delivery for every webhook that selects them.
   * Returns their number. Unpublished events are in no feed, so no reader skips one whose transaction is still open.
   */
  publish(at: number, limit: number): Promise<number>
  /** Up to `limit` events above the place `after` that are the account's or everybody's, oldest first. */
  feed(after: number, accountId: number, limit: number): Promise<PublishedEvent[]>
  /** Up to `limit` of the same below the place `before`, newest first. */
  feedBefore(before: number, accountId: number, limit: number): Promise<PublishedEvent[]>
  /** Up to `limit` events above the place `after`, oldest first, with the account whose they are; undefined for everybody's. */
  published(after: number, limit: number): Promise<(PublishedEvent & { accountId: number | undefined })[]>
  /** The place that was given last; 0 when none was. */
  lastPlace(): Promise<number>
  /** The place before the first event of this time (ms) or later; the last one when there is none. */
  placeBefore(at: number): Promise<number>
  /** Forgets, of the oldest `limit` published events from before this time (ms), those no delivery refers to; returns how many. */
  prune(before: number, limit: number): Promise<number>
}
