import { endpointsWith } from "../../../core/domain/endpoint.ts"
import { durationPattern } from "../../../core/kernel/duration.ts"
import { object, time } from "../../../core/kernel/schema/schema.ts"
import { Type } from "../../../core/kernel/schema/type.ts"

const TimeFields = {
  time: time("The time in the sandbox"),
  aheadSeconds: Type.Integer({ description: "How far it is ahead of real time; negative when it is behind" }),
  frozen: Type.Boolean({ description: "Whether the time is frozen: it moves only when it is advanced" }),
}

export const SandboxClock = object("SandboxClock", TimeFields)

/** Requests to these endpoints are not counted, so that a plan that is used up does not refuse them. */
const endpoint = endpointsWith({ tag: "sandbox", scope: "admin", cost: 0 })

/** A duration in a body. */
export const Duration = (description: string, example: string) =>
  Type.String({
    pattern: durationPattern,
    "x-rule": "must be an ISO 8601 duration in weeks, or in days, hours, minutes and seconds, such as P1D or PT1H30M",
    description: `${description}, as an ISO 8601 duration in weeks, or in days, hours, minutes and seconds`,
    examples: [example],
  })

/** The clock of a sandbox, which only a named one can move. */
export const clock = {
  getClock: endpoint("GET", "/sandbox/clock", {
    summary: "Read the clock of the sandbox",
    command: "sandbox clock",
    response: SandboxClock,
  }),

  advanceClock: endpoint("POST", "/sandbox/clock", {
    summary: "Advance or freeze the clock of a named sandbox",
    description:
      "Everything that becomes due on the way is done before the response: webhooks are attempted at their times, and expired " +
      "orders cancelled. It takes at most 30 seconds; if that is too short, `isComplete` is false, and `time` is how far it came. A frozen " +
      "clock moves only when it is advanced.",
    command: "sandbox advance",
    tool: { name: "advance", replaces: true },
    body: object(
      "ClockAdvance",
      {
        advance: Type.Optional(Duration("By how much", "P1D")),
        to: Type.Optional(time("To which time, instead of `advance`", ["2030-01-31T12:00:00Z"])),
        freeze: Type.Optional(
          Type.Boolean({ description: "True freezes the clock before it is advanced, false lets it run afterwards" }),
        ),
      },
      { additionalProperties: false, examples: [{ advance: "P1D", freeze: true }] },
    ),
    response: object("ClockAdvanced", {
      ...TimeFields,
      isComplete: Type.Boolean({ description: "Whether the requested time was reached" }),
      deliveriesAttempted: Type.Integer({ minimum: 0, description: "Number of requests sent to webhooks" }),
      keysExpired: Type.Integer({ minimum: 0, description: "Number of API keys that expired" }),
      ordersCancelled: Type.Integer({ minimum: 0, description: "Number of orders that were not approved in time" }),
    }),
    problems: ["named-sandbox-required", "clock-advancing"],
  }),
}
