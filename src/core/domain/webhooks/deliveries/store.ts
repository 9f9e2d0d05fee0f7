import type { Page, PageOf } from "../../../kernel/endpoint/page.ts"
import type { Json } from "../../../kernel/json/json.ts"
import type { EventKind } from "../../events/contract.ts"
import type { Event } from "../../events/store.ts"
import type { Lane } from "../model.ts"
import type { Attempt, Delivery, DeliveryState } from "./contract.ts"
import type { DeliveryProgress, Outcome } from "./model.ts"

/** A webhook that may have a due delivery, since this time (ms). */
export type Due = { webhookId: number; accountId: number; dueAt: number }

/** Due deliveries that are not being attempted; `oldestDueAt` is undefined when there are none. */
export type Backlog = { count: number; oldestDueAt: number | undefined }

/** A delivery that this worker may attempt until the lease ends. */
export type Claim = {
  deliveryId: number
  webhookId: number
  /** Number of claims of this delivery; an outcome counts only for the latest claim. */
  claim: number
  /** Attempts since the schedule was last started, without this one. */
  step: number
  isTest: boolean
  kind: EventKind
  eventId: string
  /** The exact text to sign and send. */
  json: Json<Event>
  /** When (ms) another worker may attempt it. */
  leaseEnd: number
}

/** An attempt, and the state of its delivery after it. */
export type Settled = { claim: Claim; outcome: Outcome; progress: DeliveryProgress }

/** Deliveries in storage. */
export type DeliveryStore = {
  /** Adds a test delivery of an event to one webhook and returns its id. */
  addTest(webhookId: number, eventId: number, at: number): Promise<number>
  /** Up to `limit` webhooks of this lane with possibly due deliveries, longest waiting first. */
  due(lane: Lane, at: number, limit: number): Promise<Due[]>
  /** Number of due deliveries, up to `max`, and when (ms) the oldest was due. */
  backlog(at: number, max: number): Promise<Backlog>
  /**
   * Claims up to `limit` due deliveries of the webhook, oldest first; they become due again when the lease ends. None while
   * another transaction changes the webhook.
   */
  claim(webhookId: number, limit: number, at: number, leaseEnd: number): Promise<Claim[]>
  /** Records attempts at one webhook and the new states, each kept only for the latest claim; returns which were kept. */
  settle(settled: readonly Settled[]): Promise<boolean[]>
  /** Releases a claim without an attempt. */
  release(claim: Claim, at: number): Promise<void>
  /** The webhook's delivery with this id; undefined when there is none. */
  read(id: number, webhookId: number): Promise<Delivery | undefined>
  /** The exact text that a delivery sends; empty when there is no such delivery. */
  message(id: number): Promise<string>
  /** Every attempt of a delivery, oldest first. */
  attempts(id: number): Promise<Attempt[]>
  /** The webhook's deliveries in any of the states, newest (highest id) first. */
  list(webhookId: number, states: readonly DeliveryState[], page: Page): Promise<PageOf<Delivery>>
  /** Makes a delivery due and restarts its schedule, unless it is being attempted. */
  retry(id: number, at: number): Promise<void>
  /** The same for up to `limit` failed ones created since (ms), without tests; returns their number. */
  retryFailed(webhookId: number, since: number, at: number, limit: number): Promise<number>
  /** Deletes up to `limit` deliveries created before this time (ms), with their attempts; returns their number. */
  prune(before: number, limit: number): Promise<number>
}
