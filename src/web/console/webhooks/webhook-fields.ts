import { eventKinds } from "../../../domain/events/contract.ts"
import { WebhookDraft } from "../../../domain/webhooks/contract.ts"
import { fieldsOf } from "../../parts/fields.ts"

const summaries = Object.entries(eventKinds).map(([kind, { summary }]) => [kind, summary])

export const webhookFields = fieldsOf(WebhookDraft, {
  url: {
    label: "URL",
    hint: "Where events are posted to: https and a public address, unless the operator allows more.",
  },
  description: { label: "Description", hint: "For people." },
  events: { label: "Events", choices: { "*": "Every kind, also future ones", ...Object.fromEntries(summaries) } },
  ordered: {
    label: "In order",
    hint: "The events of one pet follow each other, each when the one before was delivered or given up.",
  },
})
