// Generated from the contract; npm run golden writes it again.

import type { CallOptions, ClientResponse } from "../client.ts"
import type { ApiResponse } from "./pet.ts"

export interface WebhooksOperations {
  /**
   * Create a webhook. Events are sent to its URL. The response contains the secret that signs them, once. Needs
   * the scope `manage:webhooks`. May be refused with `webhook-limit`.
   */
  createWebhook(input: { body: NewWebhook }, options?: CallOptions): Promise<ClientResponse<WebhookWithSecret>>

  /**
   * List the account's webhooks. Newest first. `failingSince` and `status` show their health. Needs the scope
   * `manage:webhooks`.
   */
  listWebhooks(input?: { query?: { limit?: number; cursor?: string } }, options?: CallOptions): Promise<ClientResponse<Webhook[]>>

  /**
   * Find a webhook by its id. Needs the scope `manage:webhooks`. May be refused with `webhook-not-found`.
   */
  getWebhook(input: { params: { webhookId: number } }, options?: CallOptions): Promise<ClientResponse<Webhook>>

  /**
   * Change, pause, resume or enable a webhook. A JSON merge patch (RFC 7396). Enabling a disabled webhook starts
   * with a test delivery: its status is `testing` until that has succeeded. The events that were held back are
   * then sent. Needs the scope `manage:webhooks`. May be refused with `webhook-not-found`, `webhook-disabled`.
   */
  updateWebhook(input: { params: { webhookId: number }; body: WebhookPatch }, options?: CallOptions): Promise<ClientResponse<Webhook>>

  /**
   * Delete a webhook and its unsent events. Needs the scope `manage:webhooks`. May be refused with
   * `webhook-not-found`.
   */
  deleteWebhook(input: { params: { webhookId: number } }, options?: CallOptions): Promise<ClientResponse<ApiResponse>>

  /**
   * Rotate the secret of a webhook. The response contains the new secret, once. For 24 hours, messages are signed
   * with both. Needs the scope `manage:webhooks`. May be refused with `webhook-not-found`, `webhook-limit`.
   */
  rotateWebhookSecret(input: { params: { webhookId: number } }, options?: CallOptions): Promise<ClientResponse<WebhookWithSecret>>

  /**
   * Send a test event to a webhook. Sends `webhook.test` once, in any status of the webhook. Read the delivery for
   * the outcome. Needs the scope `manage:webhooks`. May be refused with `webhook-not-found`.
   */
  testWebhook(input: { params: { webhookId: number } }, options?: CallOptions): Promise<ClientResponse<Delivery>>

  /**
   * List the deliveries of a webhook. Newest first, with the last attempt of each; kept for 30 days, unless the
   * operator has set another retention. Needs the scope `manage:webhooks`. May be refused with
   * `webhook-not-found`.
   */
  listDeliveries(input: { params: { webhookId: number }; query?: { state?: DeliveryState[]; limit?: number; cursor?: string } }, options?: CallOptions): Promise<ClientResponse<Delivery[]>>

  /**
   * Find a delivery by its id, with every attempt. Needs the scope `manage:webhooks`. May be refused with
   * `webhook-not-found`, `delivery-not-found`.
   */
  getDelivery(input: { params: { webhookId: number; deliveryId: number } }, options?: CallOptions): Promise<ClientResponse<DeliveryLog>>

  /**
   * Retry a delivery now. Works for a delivered one too. If it fails, the schedule of attempts starts again. One
   * that is being attempted is not changed. Needs the scope `manage:webhooks`. May be refused with
   * `webhook-not-found`, `delivery-not-found`, `webhook-disabled`.
   */
  retryDelivery(input: { params: { webhookId: number; deliveryId: number } }, options?: CallOptions): Promise<ClientResponse<Delivery>>

  /**
   * Retry all failed deliveries since a given time. `since` is required, in the query or in the body. Needs the
   * scope `manage:webhooks`. May be refused with `webhook-not-found`, `webhook-disabled`.
   */
  retryFailedDeliveries(input: { params: { webhookId: number }; query?: { since?: string }; body?: RetryFailed }, options?: CallOptions): Promise<ClientResponse<Retried>>

  /**
   * Read the events of the last 30 days, oldest first. For a receiver that was unavailable: continue after the
   * last event received, with `after`, until the array is empty. The ids are those of the header `webhook-id`: no
   * event need be processed twice. The operator may set another retention. Needs the scope `manage:webhooks`. May
   * be refused with `event-unknown`.
   */
  listEvents(input?: { query?: { after?: string; limit?: number; sort?: "id" | "-id" } }, options?: CallOptions): Promise<ClientResponse<Event[]>>
}

type NewWebhook = {
  url: string
  description?: string
  events?: ("*" | "pet.created" | "pet.updated" | "pet.deleted" | "order.placed" | "order.approved" | "order.delivered" | "order.cancelled" | "delivery.failed" | "webhook.disabled")[]
  ordered?: boolean
}

type WebhookWithSecret = {
  id: number
  url: string
  description?: string
  events: ("*" | "pet.created" | "pet.updated" | "pet.deleted" | "order.placed" | "order.approved" | "order.delivered" | "order.cancelled" | "delivery.failed" | "webhook.disabled")[]
  ordered: boolean
  status: WebhookStatus
  disabledReason?: "gone" | "failing" | "test-failed"
  failingSince?: string
  createdAt: string
  secret: string
}

type WebhookStatus = "active" | "paused" | "disabled" | "testing"

export type Webhook = {
  id: number
  url: string
  description?: string
  events: ("*" | "pet.created" | "pet.updated" | "pet.deleted" | "order.placed" | "order.approved" | "order.delivered" | "order.cancelled" | "delivery.failed" | "webhook.disabled")[]
  ordered: boolean
  status: WebhookStatus
  disabledReason?: "gone" | "failing" | "test-failed"
  failingSince?: string
  createdAt: string
}

type WebhookPatch = {
  url?: string
  description?: string | null
  events?: ("*" | "pet.created" | "pet.updated" | "pet.deleted" | "order.placed" | "order.approved" | "order.delivered" | "order.cancelled" | "delivery.failed" | "webhook.disabled")[] | null
  ordered?: boolean
  status?: "active" | "paused"
}

type Delivery = {
  id: number
  webhookId: number
  eventId: string
  event: EventKind
  state: DeliveryState
  attempts: number
  nextAttemptAt?: string
  createdAt: string
  lastAttempt?: DeliveryAttempt
}

type EventKind = "pet.created" | "pet.updated" | "pet.deleted" | "order.placed" | "order.approved" | "order.delivered" | "order.cancelled" | "delivery.failed" | "webhook.disabled" | "webhook.test"

type DeliveryState = "pending" | "delivered" | "failed"

type DeliveryAttempt = {
  at: string
  durationMs: number
  status?: number
  error?: "dns" | "refused-address" | "connect" | "tls" | "timeout" | "reset" | "malformed-response" | "redirect" | "status" | "unreadable-secret"
  response?: string
}

type DeliveryLog = {
  id: number
  webhookId: number
  eventId: string
  event: EventKind
  state: DeliveryState
  attempts: number
  nextAttemptAt?: string
  createdAt: string
  body: string
  log: DeliveryAttempt[]
}

type RetryFailed = {
  since: string
}

type Retried = {
  retried: number
  more: boolean
}

export type Event = {
  id: string
  event: EventKind
  data: object
  timestamp: string
}
