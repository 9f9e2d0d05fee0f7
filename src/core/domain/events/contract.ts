import type { Static, TSchema } from "typebox"
import { eventStreamType } from "../../kernel/network/media-types.ts"
import { Id, named, object, time } from "../../kernel/schema/schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { endpointsWith } from "../endpoint.ts"
import { CancelledOrder, Order } from "../orders/contract.ts"
import { PetStatus } from "../pets/contract.ts"
import { petTimes } from "../pets/records/contract.ts"

/** Unique across services and stable: identical in the feed and in the `webhook-id` header of every attempt. */
export const EventId = Type.String({
  // 0 is the position before the first event, where a stream starts while there are no events.
  pattern: "^evt_(0|[1-9][0-9]{0,15})_[0-9a-f]{12}$",
  "x-rule": "must be the id of an event, such as evt_17_4f1d2c3b4a59",
  examples: ["evt_17_4f1d2c3b4a59"],
})

const PetEventData = object(
  "PetEventData",
  { id: Id, name: Type.String(), status: PetStatus },
  { examples: [{ id: 10, name: "doggie", status: "available" }] },
)

const PetChangeData = object(
  "PetChangeData",
  { ...PetEventData.properties, ...petTimes },
  { examples: [{ id: 10, name: "doggie", status: "sold", createdAt: "2026-01-02T15:04:05.000Z" }] },
)

/** Why a webhook was disabled: it responded 410, no attempt succeeded for five days, or its test failed. */
export const DisabledReason = Type.Enum(["gone", "failing", "test-failed"])
export type DisabledReason = Static<typeof DisabledReason>

const WebhookDisabledData = object("WebhookDisabledData", {
  id: Id,
  url: Type.String({ format: "uri", examples: ["https://receiver.example/petstore"] }),
  reason: DisabledReason,
})
const DeliveryFailedData = object("DeliveryFailedData", {
  id: Id,
  webhookId: Id,
  eventId: EventId,
  event: Type.String({ description: "The kind of the event that was not delivered", examples: ["pet.created"] }),
})
const WebhookTestData = object("WebhookTestData", { webhookId: Id })

/** The kinds of events: the schema of `data`, and which of its fields is the pet's id. */
export const eventKinds = {
  "pet.created": { summary: "A pet was added", data: PetEventData, pet: "id" },
  "pet.updated": { summary: "A pet was changed", data: PetChangeData, pet: "id" },
  "pet.deleted": { summary: "A pet was deleted", data: PetChangeData, pet: "id" },
  "order.placed": { summary: "A pet was ordered", data: Order, pet: "petId" },
  "order.approved": { summary: "An order was approved", data: Order, pet: "petId" },
  "order.delivered": { summary: "An order was delivered", data: Order, pet: "petId" },
  "order.cancelled": { summary: "An order was cancelled before it was delivered", data: CancelledOrder, pet: "petId" },
  "delivery.failed": {
    summary: "The last attempt to deliver an event to another webhook of the account failed",
    data: DeliveryFailedData,
  },
  "webhook.disabled": { summary: "Another webhook of the account was disabled", data: WebhookDisabledData },
  "webhook.test": { summary: "A test event, sent to one webhook only", data: WebhookTestData },
} as const satisfies Record<string, { summary: string; data: TSchema; pet?: string }>

export type EventKind = keyof typeof eventKinds

/** The body sent to webhooks; `event` determines the type of `data`. */
export type EventMessage = {
  [Kind in EventKind]: { event: Kind; data: Static<(typeof eventKinds)[Kind]["data"]>; timestamp: string }
}[EventKind]

// Named, because openapi-generator for Rust would name the enumeration after its field, Event, like the record.
export const EventKindName = named("EventKind", Type.Enum(Object.keys(eventKinds) as EventKind[]))

const EventRecord = object("Event", {
  id: EventId,
  event: EventKindName,
  data: Type.Object({}, { additionalProperties: true, description: "As described for this kind under `webhooks`" }),
  timestamp: time(),
})

/** The message for an event of this kind: `pet.created` is a `PetCreatedEvent`. */
const messageOf = ([kind, { data }]: [string, { data: TSchema }]) => {
  const name = kind.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return [kind, named(`${name}Event`, Type.Object({ event: Type.Literal(kind), data, timestamp: time() }))] as const
}
export const eventMessages: { readonly [kind: string]: TSchema } = Object.fromEntries(
  Object.entries(eventKinds).map(messageOf),
)
const EventMessage = named("EventMessage", Type.Unsafe<EventMessage>({ oneOf: Object.values(eventMessages) }))

/** The example of a cursor: tools send it to stores that do not have the event of another example. */
const beforeTheFirst = { examples: ["evt_0_000000000000"] }

const endpoint = endpointsWith({ tag: "events", scope: "manage:webhooks" })

export const events = {
  listEvents: endpoint("GET", "/events", {
    summary: "Read the events of the last 30 days, oldest first",
    description:
      "For a receiver that was unavailable: continue after the last event received, with `after`, until the array is " +
      "empty. The ids are those of the header `webhook-id`: no event need be processed twice. The operator may set " +
      "another retention.",
    command: "events list",
    query: Type.Object({
      after: Type.Optional({
        ...EventId,
        ...beforeTheFirst,
        description: "Id of the last event received; when omitted, the list starts at its beginning",
      }),
      limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Maximum number of events" }),
      // Last, because generated clients pass parameters by position.
      sort: Type.Enum(["id", "-id"], { default: "id", description: "`-id` is newest first" }),
    }),
    response: Type.Array(EventRecord, { maxItems: 1000 }),
    problems: ["event-unknown"],
  }),

  streamEvents: endpoint("GET", "/events/stream", {
    summary: "Receive events as they happen",
    description:
      "Server-sent events (WHATWG): `id` as in `GET /events`, `data` as sent to webhooks. Starts with new events by default; " +
      "clients that reconnect with `Last-Event-ID` miss nothing. An account may have 10 streams.",
    command: "events stream",
    query: Type.Object({
      after: Type.Optional({ ...EventId, ...beforeTheFirst, description: "Start after this event" }),
      since: Type.Optional(Type.String({ format: "date-time", maxLength: 64, description: "Start at this time" })),
    }),
    response: EventMessage,
    produces: [eventStreamType],
    streams: true,
    problems: ["event-unknown", "too-many-streams"],
  }),
}
