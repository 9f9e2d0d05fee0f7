import type { Static } from "typebox"
import { Id, list, named, object, time } from "../../../kernel/schema/schema.ts"
import { Type } from "../../../kernel/schema/type.ts"
import { endpointsWith } from "../../endpoint.ts"
import { EventId, EventKindName } from "../../events/contract.ts"

export const DeliveryState = named(
  "DeliveryState",
  Type.Enum(["pending", "delivered", "failed"], {
    description: "`failed`: the last attempt failed; can be retried",
  }),
)
export type DeliveryState = Static<typeof DeliveryState>

export const AttemptError = Type.Enum(
  [
    "dns",
    "refused-address",
    "connect",
    "tls",
    "timeout",
    "reset",
    "malformed-response",
    "redirect",
    "status",
    "unreadable-secret",
  ],
  { description: "Why it failed; `status` is a response other than 2xx or 3xx" },
)
export type AttemptError = Static<typeof AttemptError>

export const Attempt = object(
  "DeliveryAttempt",
  {
    at: time(),
    durationMs: Type.Integer({ minimum: 0, description: "Duration in milliseconds" }),
    status: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 999, description: "Status of the receiver's response" }),
    ),
    error: Type.Optional(AttemptError),
    response: Type.Optional(Type.String({ description: "The first 4 KiB of the receiver's response body, as text" })),
  },
  {
    examples: [
      { at: "2026-01-01T12:00:00.000Z", durationMs: 87, status: 503, error: "status", response: "Try again later" },
    ],
  },
)
export type Attempt = Static<typeof Attempt>

const fields = {
  id: Id,
  webhookId: Id,
  eventId: EventId,
  event: EventKindName,
  state: DeliveryState,
  attempts: Type.Integer({ minimum: 0, description: "Number of attempts so far" }),
  nextAttemptAt: Type.Optional(time("When the next attempt is due; during an attempt, when that counts as lost")),
  createdAt: time(),
}

export const Delivery = object("Delivery", { ...fields, lastAttempt: Type.Optional(Attempt) })
export type Delivery = Static<typeof Delivery>

const exampleBody =
  '{"event":"pet.created","data":{"id":10,"name":"doggie","status":"available"},"timestamp":"2026-01-01T12:00:00.000Z"}'

const DeliveryLog = object("DeliveryLog", {
  ...fields,
  body: Type.String({ description: "The exact body of the message", examples: [exampleBody] }),
  log: Type.Array(Attempt, { maxItems: 1000, description: "Every attempt, oldest first" }),
})

const endpoint = endpointsWith({ tag: "webhooks", scope: "manage:webhooks" })

const since = time("Deliveries of events from this time on", ["2026-01-01T12:00:00Z"])
export const RetryFailed = object("RetryFailed", { since })

export const deliveries = {
  testWebhook: endpoint("POST", "/webhooks/{webhookId}/test-deliveries", {
    summary: "Send a test event to a webhook",
    description: "Sends `webhook.test` once, in any status of the webhook. Read the delivery for the outcome.",
    command: "webhooks test",
    response: Delivery,
    status: 201,
    problems: ["webhook-not-found"],
  }),

  listDeliveries: endpoint("GET", "/webhooks/{webhookId}/deliveries", {
    summary: "List the deliveries of a webhook",
    description:
      "Newest first, with the last attempt of each; kept for 30 days, unless the operator has set another retention.",
    command: "deliveries list",
    query: Type.Object({
      state: list(DeliveryState, { default: ["pending", "delivered", "failed"], description: "Any of these states" }),
    }),
    response: Type.Array(Delivery, { maxItems: 1000 }),
    problems: ["webhook-not-found"],
    paged: true,
  }),

  getDelivery: endpoint("GET", "/webhooks/{webhookId}/deliveries/{deliveryId}", {
    summary: "Find a delivery by its id, with every attempt",
    command: "deliveries get",
    response: DeliveryLog,
    problems: ["webhook-not-found", "delivery-not-found"],
  }),

  retryDelivery: endpoint("POST", "/webhooks/{webhookId}/deliveries/{deliveryId}/retry", {
    summary: "Retry a delivery now",
    description:
      "Works for a delivered one too. If it fails, the schedule of attempts starts again. One that is being attempted is not changed.",
    command: "deliveries retry",
    response: Delivery,
    problems: ["webhook-not-found", "delivery-not-found", "webhook-disabled"],
  }),

  retryFailedDeliveries: endpoint("POST", "/webhooks/{webhookId}/deliveries/retry", {
    summary: "Retry all failed deliveries since a given time",
    description: "`since` is required, in the query or in the body.",
    command: "deliveries retry-failed",
    query: Type.Object({ since: Type.Optional(since) }),
    body: Type.Optional(RetryFailed),
    response: object("Retried", {
      retried: Type.Integer({ minimum: 0, description: "Number of deliveries that are sent again, at most 10000" }),
      more: Type.Boolean({ description: "Whether there may be more failed deliveries: repeat the request" }),
    }),
    problems: ["webhook-not-found", "webhook-disabled"],
  }),
}
