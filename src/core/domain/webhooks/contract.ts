import type { Static } from "typebox"
import { patchTypes } from "../../kernel/network/media-types.ts"
import { Id, named, nullable, object, text, time } from "../../kernel/schema/schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { endpointsWith } from "../endpoint.ts"
import { DisabledReason, type EventKind, eventKinds } from "../events/contract.ts"

/** Maximum number of webhooks per account. */
export const webhooksMax = 100
/** Maximum number of secrets that a webhook signs with, the newest and those being rotated out. */
export const liveSecretsMax = 5
/** How long a rotated secret still signs, in milliseconds. */
export const rotationMs = 24 * 60 * 60 * 1000

export const WebhookStatus = named(
  "WebhookStatus",
  Type.Enum(["active", "paused", "disabled", "testing"], {
    description:
      "`active`: events are sent; `paused`: events are kept until it is resumed; `disabled`: the same, set by the service; " +
      "`testing`: being enabled again, which depends on its test delivery",
  }),
)
export type WebhookStatus = Static<typeof WebhookStatus>

const everyKind = "*"
export const selectableKinds = Object.keys(eventKinds).filter((kind) => kind !== "webhook.test") as Exclude<
  EventKind,
  "webhook.test"
>[]

const Selection = Type.Array(Type.Enum([everyKind, ...selectableKinds]), {
  minItems: 1,
  maxItems: 50,
  description: "The kinds of events to send; `*` means every kind, including future ones",
  examples: [["pet.created"]],
})
const Target = text(1, 2048, {
  format: "uri",
  description: "A public https URL; the sandbox also accepts http and this machine",
  examples: ["https://receiver.example/petstore"],
})
const Description = text(0, 255, { description: "A note for people", examples: ["The warehouse"] })
const Ordered = Type.Boolean({
  description: "Whether each event of a pet waits until the previous one is delivered or has failed",
})

const fields = {
  id: Id,
  url: Target,
  description: Type.Optional(Description),
  events: Selection,
  ordered: Ordered,
  status: WebhookStatus,
  disabledReason: Type.Optional(DisabledReason),
  failingSince: Type.Optional(time("Time of the first failed attempt since the last success")),
  createdAt: time(),
}
const Secret = Type.String({
  description: "Signs every message; shown only in this response",
  examples: ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"],
})

export const Webhook = object("Webhook", fields)
export type Webhook = Static<typeof Webhook>
const WebhookWithSecret = object("WebhookWithSecret", { ...fields, secret: Secret })

export const WebhookDraft = object("WebhookDraft", {
  url: Target,
  description: Type.Optional(Description),
  events: Type.Optional(Selection),
  ordered: Type.Optional(Ordered),
})
export type WebhookDraft = Static<typeof WebhookDraft>

/** A JSON merge patch (RFC 7396). */
const WebhookPatch = object("WebhookPatch", {
  url: Type.Optional(Target),
  description: Type.Optional(nullable(Description)),
  events: Type.Optional(nullable(Selection)),
  ordered: Type.Optional(Ordered),
  status: Type.Optional(
    Type.Enum(["active", "paused"], {
      description: "`active` resumes or enables it, `paused` holds events back",
    }),
  ),
})
export type WebhookPatch = Static<typeof WebhookPatch>

const endpoint = endpointsWith({ tag: "webhooks", scope: "manage:webhooks" })

export const webhooks = {
  createWebhook: endpoint("POST", "/webhooks", {
    summary: "Create a webhook",
    description: "Events are sent to its URL. The response contains the secret that signs them, once.",
    command: "webhooks create",
    body: WebhookDraft,
    response: WebhookWithSecret,
    status: 201,
    problems: ["webhook-limit"],
    audited: ["webhook.created"],
  }),

  listWebhooks: endpoint("GET", "/webhooks", {
    summary: "List the account's webhooks",
    description: "Newest first. `failingSince` and `status` show their health.",
    command: "webhooks list",
    response: Type.Array(Webhook, { maxItems: 1000 }),
    paged: true,
  }),

  getWebhook: endpoint("GET", "/webhooks/{webhookId}", {
    summary: "Find a webhook by its id",
    command: "webhooks get",
    response: Webhook,
    problems: ["webhook-not-found"],
  }),

  updateWebhook: endpoint("PATCH", "/webhooks/{webhookId}", {
    summary: "Change, pause, resume or enable a webhook",
    description:
      "A JSON merge patch (RFC 7396). Enabling a disabled webhook starts with a test delivery: its status is `testing` " +
      "until that has succeeded. The events that were held back are then sent.",
    command: "webhooks update",
    body: WebhookPatch,
    consumes: patchTypes,
    response: Webhook,
    problems: ["webhook-not-found", "webhook-disabled"],
    audited: ["webhook.changed"],
  }),

  deleteWebhook: endpoint("DELETE", "/webhooks/{webhookId}", {
    summary: "Delete a webhook and its unsent events",
    command: "webhooks delete",
    problems: ["webhook-not-found"],
    audited: ["webhook.deleted"],
  }),

  rotateWebhookSecret: endpoint("POST", "/webhooks/{webhookId}/secret-rotation", {
    summary: "Rotate the secret of a webhook",
    description: "The response contains the new secret, once. For 24 hours, messages are signed with both.",
    command: "webhooks rotate-secret",
    tool: { replaces: true },
    response: WebhookWithSecret,
    problems: ["webhook-not-found", "webhook-limit"],
    audited: ["webhook.secret-rotated"],
  }),
}
