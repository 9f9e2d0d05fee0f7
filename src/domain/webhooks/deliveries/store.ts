import type { Json } from "../../../kernel/json/json.ts"
import type { Page, PageOf } from "../../../kernel/page.ts"
import type { EventKind } from "../../events/contract.ts"
import type { Event } from "../../events/store.ts"
import type { Lane } from "../model.ts"
import type { Attempt, Delivery, DeliveryState } from "./contract.ts"
import type { Outcome, Standing } from "./model.ts"

/** Something may be due at this webhook. */
export type Due = { webhookId: number; accountId: number }

/** Deliveries that are due and not under way; `oldestDueAt` is undefined when there are none. */
export type Backlog = { count: number; oldestDueAt: number | undefined }

/** A delivery that is this worker's to attempt until the lease ends. */
export type Claim = {
  deliveryId: number
  webhookId: number
  /** Counts the claims of this delivery; a result counts only while its claim is the latest. */
  claim: number
  /** Attempts made since the schedule was last started, this one not counted. */
  step: number
  isTest: boolean
  kind: EventKind
  eventId: string
  /** The exact text to sign and send. */
  json: Json<Event>
}

/** What the service asks storage about deliveries. */
export type DeliveryStore = {
  /** Adds a test delivery of an event to one webhook and returns its id. */
  addTest(webhookId: number, eventId: number, at: number): Promise<number>
  /** Up to `limit` webhooks of this lane at which something may be due, those that wait longest first. */
  due(lane: Lane, at: number, limit: number): Promise<Due[]>
  /** How many deliveries are due, up to `max`, and since when (ms) the one that waits longest is. */
  backlog(at: number, max: number): Promise<Backlog>
  /** Claims up to `limit` deliveries due at the webhook, longest due first; they come due again when the lease ends. */
  claim(webhookId: number, limit: number, at: number, leaseEnd: number): Promise<Claim[]>
  /** Records an attempt and where the delivery stands now; the standing is kept only while the claim is the latest. */
  settle(claim: Claim, outcome: Outcome, standing: Standing): Promise<void>
  /** Gives a claim back, its attempt not having taken place. */
  release(claim: Claim, at: number): Promise<void>
  /** The webhook's delivery of this id; undefined when there is none. */
  read(id: number, webhookId: number): Promise<Delivery | undefined>
  /** The exact text a delivery sends; empty when there is no such delivery. */
  message(id: number): Promise<string>
  /** Every attempt of a delivery, oldest first. */
  attempts(id: number): Promise<Attempt[]>
  /** The webhook's deliveries in any of the states, newest (highest id) first. */
  list(webhookId: number, states: readonly DeliveryState[], page: Page): Promise<PageOf<Delivery>>
  /** Makes a delivery due with its schedule started again, unless it is being attempted. */
  retry(id: number, at: number): Promise<void>
  /** The same for up to `limit` that were given up of those made since (ms), tests apart; returns how many. */
  retryFailed(webhookId: number, since: number, at: number, limit: number): Promise<number>
  /** Forgets up to `limit` deliveries made before this time (ms), with their attempts; returns how many. */
  prune(before: number, limit: number): Promise<number>
}
