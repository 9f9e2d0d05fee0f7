import { eventKinds } from "../../../../core/domain/events/contract.ts"
import { WebhookDraft } from "../../../../core/domain/webhooks/contract.ts"
import { fieldsOf } from "../parts/fields.ts"

const summaries = Object.entries(eventKinds).map(([kind, { summary }]) => [kind, summary])

export const webhookFields = fieldsOf(WebhookDraft, {
  url: {
    label: "URL",
    hint: "Events are sent to this URL with POST: https and a public address, unless the operator allows others.",
  },
  description: { label: "Description", hint: "Displayed in lists." },
  events: { label: "Events", choices: { "*": "All kinds, including future ones", ...Object.fromEntries(summaries) } },
  ordered: {
    label: "Send the events of a pet one after the other",
    hint: "Each is sent when the previous one was delivered or has failed.",
  },
})
