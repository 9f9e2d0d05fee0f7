import type { TSchema } from "typebox"
import { EventId, type EventKind, eventKinds, eventMessages } from "../../../core/domain/events/contract.ts"
import type { Tag } from "../../../core/domain/tags.ts"
import type { Refer } from "./components.ts"
import { exampleOf } from "./example.ts"
import { headerParameter } from "./parameters.ts"

/** Not the tag of the feed: generators write one file per tag for paths and one for webhooks, and would overwrite it. */
export const messagesTag = "messages" satisfies Tag

export const webhookDescription = "Verify the signature, then respond 2xx within 15 seconds."

/** The message to a webhook for an event of this kind, signed as Standard Webhooks 1.0 specifies. */
export function webhookOf(kind: EventKind, refer: Refer) {
  const { summary } = eventKinds[kind]
  const message = eventMessages[kind] as TSchema & { title: string }
  const operationId = kind.replace(/[.](\w)/g, (_, letter: string) => letter.toUpperCase())
  return {
    post: {
      // openapi-generator's Spring generator fails on an operation without an extension.
      "x-event": kind,
      operationId,
      summary,
      description: webhookDescription,
      tags: [messagesTag],
      security: [],
      // Types that openapi-generator's Python generator computes for paths only.
      parameters: signatureParameters.map((parameter) => ({ ...parameter, "x-py-typing": "StrictStr" })),
      requestBody: {
        "x-py-typing": message.title,
        required: true,
        content: { "application/json": { schema: refer(message), example: exampleOf(message) } },
      },
      responses: {
        // With any content: openapi-generator's Spring generator has no type for a response without one.
        "2XX": {
          description: "Received; the list of deliveries has the beginning of the content",
          content: { "*/*": { schema: {}, example: "Received" } },
        },
        "410": { description: "Disables the webhook" },
      },
    },
  }
}

/** The headers of every message to a webhook (Standard Webhooks 1.0). */
export const signatureParameters = [
  headerParameter(
    "webhook-id",
    "Identifies the event; the same on every attempt, so ignore duplicates",
    exampleOf(EventId) as string,
    { required: true },
  ),
  headerParameter(
    "webhook-timestamp",
    "Time of this attempt in seconds since 1970; refuse messages older than five minutes",
    "1767268800",
    { required: true },
  ),
  headerParameter(
    "webhook-signature",
    "`v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` under the webhook's secret; several, " +
      "separated by spaces, while a secret is being rotated",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    { required: true },
  ),
]
