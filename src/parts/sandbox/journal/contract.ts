import type { Static } from "typebox"
import { Plan } from "../../../core/domain/accounts/contract.ts"
import { endpointsWith } from "../../../core/domain/endpoint.ts"
import { EventId, EventKindName } from "../../../core/domain/events/contract.ts"
import { LimitUsage } from "../../../core/domain/limits/contract.ts"
import { eventStreamType } from "../../../core/kernel/network/media-types.ts"
import { Violations } from "../../../core/kernel/schema/problem-document.ts"
import { Id, object, time } from "../../../core/kernel/schema/schema.ts"
import { Type } from "../../../core/kernel/schema/type.ts"
import { attempted, grouping } from "../attempts/contract.ts"
import { Duration } from "../clock/contract.ts"
import { FaultRule } from "../faults/contract.ts"
import { Har } from "../har/contract.ts"
import { matcher, RequestMatcher } from "../matching/contract.ts"

/** Requests that a sandbox keeps; one with large bodies keeps fewer. */
export const requestsMax = 1000

const Headers = Type.Unsafe<Record<string, string>>({
  type: "object",
  additionalProperties: { type: "string" },
  description:
    "By name in lower case. The credential that was used is replaced by its id, others by `***`. Those that every response has are left out",
})

const RecordedMessage = object("RecordedMessage", {
  headers: Headers,
  body: Type.Optional(
    Type.String({
      description:
        "As text, up to 16 KiB, as it was sent, but for passwords, secrets and tokens, which are replaced by `***`. Files and compressed bodies are left out",
    }),
  ),
  isTruncated: Type.Optional(Type.Boolean({ description: "Whether the body was longer" })),
  bodyNotRead: Type.Optional(
    Type.Boolean({ description: "Whether there is a body of which the service read nothing before it responded" }),
  ),
})

const Explanation = object(
  "RequestExplanation",
  {
    credential: Type.Optional(
      object(
        "UsedCredential",
        {
          kind: Type.String({ description: "`key`, `session`, `oauthClient` or `externalIssuer`" }),
          id: Id,
          account: { ...Id, description: "The id of the account" },
          plan: Plan,
          isAssumed: Type.Optional(
            Type.Boolean({ description: "The service assumed the key of `PETSTORE_ANONYMOUS`" }),
          ),
        },
        { description: "Absent without a valid one" },
      ),
    ),
    requiredScope: Type.Optional(
      Type.String({ description: "`any` accepts every credential, `open` needs none; absent without an operation" }),
    ),
    grantedScopes: Type.Optional(Type.Array(Type.String(), { description: "Those of the credential" })),
    limits: Type.Optional(
      Type.Array(LimitUsage, { description: "Both windows after the request; absent where it is not counted" }),
    ),
    schema: Type.Optional(Type.String({ description: "The name of the schema of the body, or of its items" })),
    violations: Type.Optional(Violations),
    faultRule: Type.Optional(FaultRule),
    events: Type.Array(
      object("WrittenEvent", {
        event: EventKindName,
        id: Type.Optional({ ...EventId, description: "Absent before the event is in the feed" }),
      }),
      { description: "The events that the request wrote" },
    ),
  },
  { description: "How the request was judged; only of a request with `Prefer: explain`" },
)

const RecordedRequest = object("RecordedRequest", {
  id: Id,
  time: time("When it arrived, in the time of the sandbox"),
  method: Type.String(),
  path: Type.String({ description: "With the query, without the base path of the sandbox" }),
  status: Type.Optional(
    Type.Integer({
      description:
        "Of a response that a fault withheld, what it would have been; absent where a fault closed the connection before there " +
        "was one, and for a message to a webhook without a response",
    }),
  ),
  durationMs: Type.Number(),
  operation: Type.Optional(Type.String({ description: "The operationId; absent for an unknown path or method" })),
  caller: Type.Optional(
    Type.String({
      description: "The credential and its id, such as `key 3` or `session 7`; absent without a valid one",
    }),
  ),
  account: Type.Optional({ ...Id, description: "The id of the account" }),
  user: Type.Optional({ ...Id, description: "The id of the user" }),
  problem: Type.Optional(Type.String({ description: "The code of the problem that refused it" })),
  fault: Type.Optional(Type.String({ description: "The faults of the request, such as `wait=2, code=overloaded`" })),
  heldMs: Type.Optional(Type.Number({ description: "How much of its duration a fault held it" })),
  webhook: Type.Optional({
    ...Id,
    description: "The id of the webhook to which the service sent this message with a fault; `path` is its URL",
  }),
  request: RecordedMessage,
  response: RecordedMessage,
  explanation: Type.Optional(Explanation),
  ...attempted,
})
/** A request to a sandbox and its response. */
export type RecordedRequest = Static<typeof RecordedRequest>

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: requestsMax, description }))
const since = Type.Optional(time("Only requests since this time of the sandbox"))

const RequestExpectation = object(
  "RequestExpectation",
  {
    match: Type.Optional(RequestMatcher),
    exactly: count("So many requests match"),
    atLeast: count("At least so many; 1 where nothing else is given"),
    atMost: count("At most so many"),
    inSequence: Type.Optional(
      Type.Array(RequestMatcher, {
        minItems: 1,
        maxItems: 100,
        description: "Instead of `match` and a count: these arrived in this order, with any others between them",
      }),
    ),
    since,
    within: Type.Optional(
      Duration("Waits until the requests are as expected, at most so long, up to PT30S, in real time", "PT5S"),
    ),
  },
  { additionalProperties: false, examples: [{ match: { operation: "addPet", status: "2xx" }, atLeast: 1 }] },
)
/** What the requests to a sandbox should be. */
export type RequestExpectation = Static<typeof RequestExpectation>

const endpoint = endpointsWith({ tag: "sandbox", scope: "admin", cost: 0 })

export const requests = {
  listRequests: endpoint("GET", "/sandbox/requests", {
    summary: "List the recent requests to the sandbox",
    description:
      `Newest first, by arrival: the last ${requestsMax} since the last reset, or fewer with large bodies. Requests to the journal are not ` +
      "recorded.",
    command: "sandbox requests",
    tool: { name: "requests" },
    knownQuery: true,
    query: Type.Object({ ...matcher, since, ...grouping }),
    response: Type.Array(RecordedRequest),
    paged: true,
  }),

  exportRequests: endpoint("GET", "/sandbox/requests/har", {
    summary: "Export the recent requests to the sandbox as HAR",
    description:
      "All that match, in one document of HAR 1.2, which developer tools of browsers, Postman and Charles open.",
    command: "sandbox export-requests",
    knownQuery: true,
    query: Type.Object({
      ...matcher,
      since,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: requestsMax, description: "Only the newest, so many" })),
    }),
    response: Har,
  }),

  getRequest: endpoint("GET", "/sandbox/requests/{id}", {
    summary: "Find a recorded request by its id",
    command: "sandbox request",
    params: Type.Object({ id: Id }),
    response: RecordedRequest,
    problems: ["request-not-found"],
  }),

  deleteRequests: endpoint("DELETE", "/sandbox/requests", {
    summary: "Forget the recorded requests",
    description: "The data of the sandbox remain; ids continue.",
    command: "sandbox forget-requests",
  }),

  verifyRequests: endpoint("POST", "/sandbox/requests/verify", {
    summary: "Check the recorded requests",
    description:
      "Counts the recorded requests that match, or looks for some in an order. If they are not as expected, the problem says what was found, " +
      "and which requests came nearest. With `within` it waits for those that are still missing; with `exactly` or `atMost` it waits out the " +
      "time, unless there are too many before.",
    command: "sandbox verify",
    waits: true,
    tool: { reads: true },
    body: RequestExpectation,
    response: object("RequestsVerified", {
      count: Type.Integer({ minimum: 0, description: "How many match" }),
      ids: Type.Array(Id, { description: "The ids of the first hundred of them, oldest first" }),
    }),
    problems: ["requests-unexpected"],
  }),

  streamRequests: endpoint("GET", "/sandbox/requests/stream", {
    summary: "Receive requests to the sandbox as they are made",
    description:
      "Server-sent events (WHATWG) whose data is as in the list. A request is sent when it has ended. Starts with new requests by default.",
    command: "sandbox stream-requests",
    knownQuery: true,
    query: Type.Object({
      after: Type.Optional(Type.Integer({ minimum: 0, description: "Start after the request with this id" })),
    }),
    response: RecordedRequest,
    produces: [eventStreamType],
    streams: true,
    problems: ["too-many-streams"],
  }),
}
