import type { Static } from "typebox"
import type { Json } from "../../kernel/json/json.ts"
import type { EventKind, eventKinds } from "./contract.ts"
import type { FeedPosition } from "./model.ts"

/** An event as receivers get it. */
export type Event<Kind extends EventKind = EventKind> = {
  event: Kind
  data: Static<(typeof eventKinds)[Kind]["data"]>
  /** RFC 3339, UTC. */
  timestamp: string
}

/** An event that happened `at` this time (ms). */
export type NewEvent<Kind extends EventKind = EventKind> = {
  kind: Kind
  data: Event<Kind>["data"]
  at: number
  accountId?: number | undefined
}

/** An event in the feed: `id` as in `EventId`, the payload as the exact text that is signed and sent. */
export type PublishedEvent = { id: string; json: Json<Event> }

/** The outbox: events are written in the transaction of the change. */
export type EventStore = {
  /**
   * Records an event `at` this time (ms) and returns its internal number. Without `accountId` every account sees it. It is in the
   * feed as soon as it is committed, or only once it is published: a store whose transactions commit in another order than they
   * write gives it its position then, so that no reader skips an event whose transaction is still open.
   */
  add<Kind extends EventKind>(kind: Kind, data: Event<Kind>["data"], at: number, accountId?: number): Promise<number>
  /** Records events in this order, as `add` does. */
  addAll(events: readonly NewEvent[]): Promise<number[]>
  /** Up to `limit` records above this internal number, in the order written; `publicId` is undefined before its event has a position. */
  after(after: number, limit: number): Promise<{ id: number; publicId: string | undefined; json: Json<Event> }[]>
  /**
   * Makes a delivery of up to `limit` committed events, in the order of the feed, for every webhook that selects them. Returns
   * their number. Afterwards they are in the feed. A webhook that another transaction changes meanwhile is due with the first
   * publication after that.
   */
  publish(at: number, limit: number): Promise<number>
  /** Up to `limit` events after the position `after` that the account may see, oldest first. */
  feed(after: number, accountId: number, limit: number): Promise<PublishedEvent[]>
  /** Up to `limit` of them before the position `before`, newest first. */
  feedBefore(before: number, accountId: number, limit: number): Promise<PublishedEvent[]>
  /**
   * Up to `limit` events after the position `after`, oldest first, with the account they belong to and the id of their position;
   * without an account they belong to every one.
   */
  published(
    after: number,
    limit: number,
  ): Promise<(PublishedEvent & { accountId: number | undefined; positionId: string })[]>
  /** What the feed has at this position. */
  at(position: number): Promise<FeedPosition>
  /** The newest position; 0 when there is none. */
  lastPosition(): Promise<number>
  /** The position before the first event at this time (ms) or later; the newest position when there is none. */
  positionBefore(at: number): Promise<number>
  /** Of the oldest `limit` published events from before this time (ms), deletes those without deliveries; returns their number. */
  prune(before: number, limit: number): Promise<number>
}
