import type { defectIds } from "../contract.ts"
import { type Defects, key } from "../defect.ts"

const seen = `${key} -X POST $URL/api/v3/webhooks/1/test-deliveries # and look at what the receiver gets`

/** Messages to webhooks; `src/parts/sandbox/defects/defective-sending.ts` makes them. */
export const webhookDefects: Defects<(typeof defectIds.webhooks)[number]> = {
  "event-with-two-ids": {
    wrong: "An event is sent twice, with another `webhook-id` each time.",
    breaks: "A repeated message has the same `webhook-id`.",
    see: seen,
    seenWith: ["receiver"],
  },
  "signature-of-other-bytes": {
    wrong: "A message ends with a line feed that its signature does not cover.",
    breaks: "`webhook-signature` is of the bytes of the body.",
    see: seen,
    seenWith: ["receiver"],
  },
}
