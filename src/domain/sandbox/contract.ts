import { durationPattern } from "../../kernel/duration.ts"
import { object, time } from "../../kernel/schema/schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { endpointsWith } from "../endpoint.ts"
import { faults } from "./faults/contract.ts"
import { requests } from "./requests/contract.ts"

/** The initial data of a sandbox. */
export const seeds = ["classic", "empty", "shelter"] as const
export type Seed = (typeof seeds)[number]

/** The message to a client or an operator after a reset. */
export const resetMessage = (origin: string): string => `The sandbox has been reset: ${origin}`

/** The form of a sandbox's name. */
export const sandboxName = {
  // Clients resolve a path with a segment of dots.
  pattern: "^(?!\\.+$)[\\w.-]{1,64}$",
  requirement: "must have 1 to 64 letters, digits and . _ -, not only dots",
}

const SandboxName = (description: string) =>
  Type.String({ pattern: sandboxName.pattern, "x-rule": sandboxName.requirement, description, examples: ["test-17"] })

/** Requests to these endpoints are not counted, so that a plan that is used up does not refuse them. */
const endpoint = endpointsWith({ tag: "store", scope: "admin", cost: 0 })

const SandboxTime = {
  time: time("The time in the sandbox"),
  aheadSeconds: Type.Integer({ description: "How far it is ahead of real time; negative when it is behind" }),
  frozen: Type.Boolean({ description: "Whether the time is frozen: it moves only when it is advanced" }),
}

/** Endpoints that exist only in the sandbox and in no description of the API. */
export const sandbox = {
  resetSandbox: endpoint("POST", "/sandbox/reset", {
    summary: "Reset the sandbox",
    description:
      "Restores the state of the first start: ids from 1, the known keys and users, no limits used, no webhooks. `classic` has the " +
      "ten classic pets, `empty` none, `shelter` 300 animals. Running requests finish first. With `from`, a named sandbox becomes a " +
      "copy of another one.",
    command: "sandbox reset",
    query: Type.Object({
      seed: Type.Enum([...seeds], { default: "classic", description: "The initial data" }),
      from: Type.Optional(SandboxName("The sandbox of which this one becomes a copy, instead of a seed")),
    }),
    problems: ["named-sandbox-required", "sandbox-not-found"],
  }),

  forkSandbox: endpoint("POST", "/sandbox/forks", {
    summary: "Copy a named sandbox",
    description:
      "Makes a new sandbox with everything that this one has now: pets, users, keys, images, used limits, and the time. Webhooks of " +
      "the copy are paused.",
    command: "sandbox fork",
    body: object("SandboxFork", { name: SandboxName("The name of the copy") }),
    response: object("Sandbox", {
      name: Type.String(),
      url: Type.String({ format: "uri", description: "Its base URL, without `/api/v3`" }),
    }),
    status: 201,
    problems: ["named-sandbox-required", "sandbox-exists"],
  }),

  getClock: endpoint("GET", "/sandbox/clock", {
    summary: "Read the clock of the sandbox",
    command: "sandbox clock",
    response: object("SandboxClock", SandboxTime),
  }),

  advanceClock: endpoint("POST", "/sandbox/clock", {
    summary: "Advance or freeze the clock of a named sandbox",
    description:
      "Everything that becomes due on the way is done before the response: webhooks are attempted at their times, and expired " +
      "orders cancelled. It takes at most 30 seconds; if that is too short, `isComplete` is false, and `time` is how far it came. A frozen " +
      "clock moves only when it is advanced.",
    command: "sandbox advance",
    body: object(
      "ClockAdvance",
      {
        advance: Type.Optional(
          Type.String({
            pattern: durationPattern,
            "x-rule":
              "must be an ISO 8601 duration in weeks, or in days, hours, minutes and seconds, such as P1D or PT1H30M",
            description: "By how much, as an ISO 8601 duration in weeks, or in days, hours, minutes and seconds",
            examples: ["P1D"],
          }),
        ),
        to: Type.Optional(time("To which time, instead of `advance`", ["2030-01-31T12:00:00Z"])),
        freeze: Type.Optional(
          Type.Boolean({ description: "True freezes the clock before it is advanced, false lets it run afterwards" }),
        ),
      },
      { additionalProperties: false },
    ),
    response: object("ClockAdvanced", {
      ...SandboxTime,
      isComplete: Type.Boolean({ description: "Whether the requested time was reached" }),
      deliveriesAttempted: Type.Integer({ minimum: 0, description: "Number of requests sent to webhooks" }),
      keysExpired: Type.Integer({ minimum: 0, description: "Number of API keys that expired" }),
      ordersCancelled: Type.Integer({ minimum: 0, description: "Number of orders that were not approved in time" }),
    }),
    problems: ["named-sandbox-required", "clock-advancing"],
  }),

  ...requests,
  ...faults,
}
