import type { ProblemKind } from "../../kernel/problem.ts"

/** What keeps the service itself from responding. */
export const serviceProblems = {
  "internal-error": {
    status: 500,
    title: "Internal error",
    meaning: "A bug in the service, logged under `requestId`. Please report that id.",
  },
  overloaded: {
    status: 503,
    title: "Overloaded",
    meaning:
      "The service has more requests than it can respond to in time, or holds as many unread responses as it may, and " +
      "nothing was changed. Read the responses that are open, and send the request again after `Retry-After`.",
  },
  unavailable: {
    status: 503,
    title: "Unavailable",
    meaning:
      "The service cannot respond right now. Nothing was changed, unless `detail` says that this is not known: storage failed " +
      "while it committed the change. Send the request again after `Retry-After`, with the same `Idempotency-Key`.",
  },
} as const satisfies Record<string, ProblemKind>
