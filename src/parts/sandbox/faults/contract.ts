import type { Static } from "typebox"
import { endpointsWith } from "../../../core/domain/endpoint.ts"
import { type EventKind, eventKinds } from "../../../core/domain/events/contract.ts"
import { oauthPath } from "../../../core/kernel/network/path.ts"
import { Id, object, time } from "../../../core/kernel/schema/schema.ts"
import { Type } from "../../../core/kernel/schema/type.ts"

/** How a response fails before anything is done: the connection is closed or reset, or a proxy responds. */
export const earlyBreakages = ["drop", "reset", "html"] as const
export type EarlyBreakage = (typeof earlyBreakages)[number]

/** How a response fails after the operation was carried out. */
export const lateBreakages = ["lose", "empty", "truncate", "garbage", "slow"] as const
type LateBreakage = (typeof lateBreakages)[number]

export type Breakage = EarlyBreakage | LateBreakage

/** What is held until it is released: the request before its operation, or the response. */
export const holdFaults = ["hold", "hold-response"] as const
export type HoldFault = (typeof holdFaults)[number]

/** What can be wrong with the tokens of an issuer, and with its keys. */
export const tokenFaults = ["expired", "wrong-issuer", "wrong-audience", "bad-signature", "unpublished-key"] as const
export type TokenFault = (typeof tokenFaults)[number]

/** What programs call of the authorization server: it can fail, and is recorded. */
export const endpointPaths = ["/token", "/token/introspection", "/token/revocation", "/jwks"].map(
  (path) => oauthPath + path,
)

/** What can be wrong with a message to a webhook. */
export const webhookFaultKinds = [
  "duplicate",
  "reordered",
  "delayed",
  "forged",
  "stale",
  "truncated",
  "slow",
  "down",
] as const
export type WebhookFaultKind = (typeof webhookFaultKinds)[number]

export const seedForm = { pattern: "^[\\w.-]{1,64}$", requirement: "1 to 64 letters, digits and . _ -" }

/** A misspelt member would make a rule match more than it says. */
const noOthers = { additionalProperties: false }

const matchFields = {
  operation: Type.Optional(
    Type.String({ maxLength: 64, description: "Requests for this operation", examples: ["placeOrder"] }),
  ),
  path: Type.Optional(
    Type.String({
      pattern: "^/[^*?#{}]{0,200}\\*?$",
      "x-rule":
        "must be a path of the API without braces, such as /pet/1, or its beginning and an asterisk, such as /pet/*",
      description:
        "Requests to this path of the API, or of the authorization server, such as `/oauth/token`; with an asterisk at its end, to all that begin with it",
      examples: ["/pet/*"],
    }),
  ),
  key: Type.Optional({ ...Id, description: "Requests with the API key with this id" }),
  webhook: Type.Optional({ ...Id, description: "Messages to the webhook with this id" }),
  event: Type.Optional(
    Type.Enum(Object.keys(eventKinds) as EventKind[], { description: "Messages for events of this kind" }),
  ),
  share: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: "The share of them that is affected; by default all" }),
  ),
  times: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: "The rule ends after it has affected so many" }),
  ),
  until: Type.Optional(time("The rule ends at this time of the sandbox", ["2030-01-31T13:00:00Z"])),
  seed: Type.Optional(
    Type.String({
      pattern: seedForm.pattern,
      "x-rule": `must have ${seedForm.requirement}`,
      description: "Makes the choice reproducible: the n-th match has the same fault each time",
    }),
  ),
}

export const FaultMatch = object("FaultMatch", matchFields, {
  description: "What the rule is for; by default every request to an operation",
  ...noOthers,
})

const rule = {
  match: Type.Optional(FaultMatch),
  fault: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        "As in `Prefer`: `wait=2`, `wait=0.3; jitter=0.2`, `code=503; retry-after=3`, `fault=lose`, or several separated by commas. For `/oauth/token` also " +
        `\`token=\` and one of ${tokenFaults.join(", ")}. For messages ` +
        `to webhooks \`webhook=\` and one of ${webhookFaultKinds.join(", ")}. By default any fault that a correct client can encounter`,
      examples: ["wait=0.3; jitter=0.2, code=503"],
    }),
  ),
  enabled: Type.Optional(
    Type.Boolean({ description: "`false` keeps the rule in the list without effect; by default it has effect" }),
  ),
}

const count = (description: string) => Type.Integer({ minimum: 0, description })

const given = { ...rule, count: Type.Optional(count("How many it has affected before; by default none")) }
export const FaultRule = object("FaultRule", given, {
  ...noOthers,
  examples: [{ match: { operation: "placeOrder", times: 2 }, fault: "code=503; retry-after=3" }],
})
/** A rule as the client gave it. */
export type FaultRule = Static<typeof FaultRule>

const FaultRules = object("FaultRules", {
  rules: Type.Array(
    object("FaultRuleInForce", {
      ...rule,
      count: count("How many requests or messages it has affected"),
    }),
  ),
})

const endpoint = endpointsWith({ tag: "sandbox", scope: "admin", cost: 0, conditional: true })

export const faults = {
  getFaults: endpoint("GET", "/sandbox/faults", {
    summary: "Read the fault rules of the sandbox",
    command: "sandbox faults",
    response: FaultRules,
  }),

  setFaults: endpoint("PUT", "/sandbox/faults", {
    summary: "Make requests and webhooks of the sandbox fail",
    description:
      "Replaces all rules. The first rule that matches a request decides its faults, unless the request has faults of its own in " +
      "`Prefer`. Operations of the sandbox itself are not affected. The rules end with a reset and with the service. With `If-Match` no " +
      "rule is lost that another client has set since; the counts are part of the `ETag`.",
    command: "sandbox set-faults",
    body: object("FaultRuleList", { rules: Type.Array(FaultRule, { maxItems: 100 }) }, noOthers),
    response: FaultRules,
    problems: ["precondition-failed"],
  }),

  deleteFaults: endpoint("DELETE", "/sandbox/faults", {
    summary: "End the fault rules of the sandbox",
    command: "sandbox clear-faults",
    problems: ["precondition-failed"],
  }),
}
