import type { ProblemKind } from "../../kernel/problem.ts"

/** What keeps the service itself from answering. */
export const serviceProblems = {
  "internal-error": {
    status: 500,
    title: "Internal error",
    meaning: "A bug in the service. It is logged under `requestId`; please report that id.",
  },
  overloaded: {
    status: 503,
    title: "Overloaded",
    meaning:
      "The service has more to do than it can answer in time, and did not begin with this request. Send it again after " +
      "`Retry-After`.",
  },
  unavailable: {
    status: 503,
    title: "Unavailable",
    meaning: "The service cannot answer just now, and nothing was changed. Send the request again after `Retry-After`.",
  },
} as const satisfies Record<string, ProblemKind>
