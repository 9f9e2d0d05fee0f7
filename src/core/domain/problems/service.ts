import { kindsOf } from "../../kernel/problem.ts"

export const serviceProblems = {
  ...kindsOf(500, {
    "internal-error": "A bug in the service, logged under `requestId`. Please report that id.",
    damaged: {
      title: "Damaged record",
      meaning:
        "A record is not what the service stored: it does not match its hash, for example because a disk fails. `detail` names it, " +
        "and nothing was changed. The operator can restore it from a backup (`petstore doctor --repair`); a pet can also be " +
        "replaced with `PUT /pet`, or deleted.",
    },
  }),
  ...kindsOf(503, {
    overloaded:
      "The service has more requests than it can respond to in time, or holds the maximum number of unread responses, and " +
      "nothing was changed. Read the responses that are open, and send the request again after `Retry-After`.",
    unavailable:
      "The service cannot respond right now. Nothing was changed, unless `detail` says that this is not known: storage failed " +
      "while it committed the change. Send the request again after `Retry-After`, with the same `Idempotency-Key`.",
  }),
}
