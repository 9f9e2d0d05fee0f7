import { type Static, type TSchema, Type } from "typebox"
import { Id, named } from "../../kernel/schema.ts"
import { endpoint } from "../endpoint.ts"
import { CancelledOrder, Order } from "../orders/contract.ts"
import { PetStatus } from "../pets/contract.ts"

const PetEventData = named(
  "PetEventData",
  Type.Object(
    { id: Id, name: Type.String(), status: PetStatus },
    { examples: [{ id: 10, name: "doggie", status: "available" }] },
  ),
)

/** Why an endpoint was disabled: it answered 410, or five days went by without a success, or its test failed. */
export const DisabledReason = Type.Enum(["gone", "failing", "test-failed"])
export type DisabledReason = Static<typeof DisabledReason>

const WebhookDisabledData = named(
  "WebhookDisabledData",
  Type.Object({ id: Id, url: Type.String({ format: "uri" }), reason: DisabledReason }),
)
const WebhookTestData = named("WebhookTestData", Type.Object({ webhookId: Id }))

/** The kinds of events: the schema of each one's `data`, and the member of it that names the pet concerned. */
export const eventKinds = {
  "pet.created": { summary: "A pet was added", data: PetEventData, pet: "id" },
  "pet.updated": { summary: "A pet was changed", data: PetEventData, pet: "id" },
  "pet.deleted": { summary: "A pet was deleted", data: PetEventData, pet: "id" },
  "order.placed": { summary: "A pet was ordered", data: Order, pet: "petId" },
  "order.approved": { summary: "An order was approved", data: Order, pet: "petId" },
  "order.delivered": { summary: "An order was delivered", data: Order, pet: "petId" },
  "order.cancelled": { summary: "An order was cancelled before it was delivered", data: CancelledOrder, pet: "petId" },
  "webhook.disabled": { summary: "Another webhook of the account was disabled", data: WebhookDisabledData },
  "webhook.test": { summary: "A test delivery, for one webhook only", data: WebhookTestData },
} as const satisfies Record<string, { summary: string; data: TSchema; pet?: string }>

/** The name of a kind of events. */
export type EventKind = keyof typeof eventKinds

/** Unique in every service, and stable: the same in the feed and in the header `webhook-id` of every attempt. */
export const EventId = Type.String({
  pattern: "^evt_[1-9][0-9]{0,15}_[0-9a-f]{12}$",
  "x-rule": "must be the id of an event, such as evt_17_4f1d2c3b4a59",
  examples: ["evt_17_4f1d2c3b4a59"],
})

const EventRecord = named(
  "Event",
  Type.Object({
    id: EventId,
    event: Type.Enum(Object.keys(eventKinds) as EventKind[]),
    data: Type.Object({}, { description: "As described for this kind under `webhooks`" }),
    timestamp: Type.String({ format: "date-time" }),
  }),
)

export const events = {
  listEvents: endpoint({
    method: "GET",
    path: "/events",
    summary: "Read the events of the last 30 days, oldest first",
    description:
      "For a receiver that was away: go on from the last event it has seen with `after`, until the array is empty. " +
      "The ids are those of the header `webhook-id`, so nothing need be handled twice. The operator may keep events for " +
      "another time than 30 days.",
    tag: "events",
    command: "events list",
    scope: "manage:webhooks",
    query: Type.Object({
      after: Type.Optional({ ...EventId, description: "The last event seen; the oldest kept when omitted" }),
      limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Events at most" }),
    }),
    answer: Type.Array(EventRecord, { maxItems: 1000 }),
    status: 200,
    problems: [],
  }),
}
