import type { Quota } from "../../../core/domain/limits/model.ts"
import { counted } from "../../../core/kernel/counted.ts"
import type { FaultRule } from "../faults/contract.ts"
import { findRecipe, idOf } from "../faults/recipes.ts"

/** A request of an experiment, and what its client receives. */
export type ExperimentStep = {
  /** What happens, in sentences in which backticks mark code. */
  words: string
  method: "GET" | "POST" | "PUT"
  /** Below the base path of the sandbox. */
  path: string
  /** `special-key` by default. */
  key?: string
  headers?: Readonly<Record<string, string>>
  body?: object
  /** How often it is sent, one after the other. */
  times?: number
  /** How long the client waits for the response. */
  timeoutSeconds?: number
  expected: number | "lost" | "timeout"
}

/** What can go wrong between a client and the service, as requests to a sandbox that starts again before. */
export type Experiment = {
  /** As part of an address. */
  id: string
  name: string
  words: string
  steps: readonly ExperimentStep[]
  /** How many pets named Rex the sandbox has in the end. */
  pets: number
}

/** The requests that add the pet are those that an experiment is about. */
export const isObserved = ({ path }: ExperimentStep): boolean => path === "/pet"

/** Before the first request of each experiment. */
export const startAgain: ExperimentStep = {
  words: "The sandbox starts again, with ten pets.",
  method: "POST",
  path: "/sandbox/reset?seed=classic",
  expected: 200,
}

/** Where the pets are that an experiment has added. */
export const petsPath = "/pet?name=Rex"

/** Always the same request, as of a client that repeats it. */
const addRex = (
  words: string,
  expected: ExperimentStep["expected"],
  more: Partial<ExperimentStep> = {},
): ExperimentStep => ({
  words,
  method: "POST",
  path: "/pet",
  headers: { "idempotency-key": "rex" },
  body: { name: "Rex", photoUrls: [] },
  expected,
  ...more,
})

function apply(name: string): ExperimentStep {
  const { words, rules } = findRecipe(name) as { words: string; rules: readonly FaultRule[] }
  return {
    words: `${words}, as with \`petstore fault ${idOf({ name })}\`.`,
    method: "PUT",
    path: "/sandbox/faults",
    body: { rules },
    expected: 200,
  }
}

const advance = (duration: string, words: string): ExperimentStep => ({
  words,
  method: "POST",
  path: "/sandbox/clock",
  body: { advance: duration },
  expected: 200,
})

const loseAResponse: Experiment = {
  id: "lose-a-response",
  name: "Lose a response",
  words: "A client adds a pet, and the connection closes before the response. Was the pet added?",
  steps: [
    apply("lose the next response"),
    addRex("The pet is added, and the client receives nothing.", "lost"),
    addRex(
      "The client repeats the request with the same Idempotency-Key, and receives the response to the first one.",
      200,
    ),
  ],
  pets: 1,
}

const slowDown: Experiment = {
  id: "slow-down",
  name: "Slow down",
  words: "The response takes longer than the client waits. What does a repetition do?",
  steps: [
    apply("delay the next response"),
    addRex("The client gives up after one second; the pet is added all the same.", "timeout", { timeoutSeconds: 1 }),
    addRex("The client repeats the request with the same Idempotency-Key, and there is no second pet.", 200),
  ],
  pets: 1,
}

const reachTheLimit = (requests: number): Experiment => ({
  id: "reach-the-limit",
  name: "Reach the limit",
  words: `A key is allowed ${counted(requests, "request")} a minute. What does a client do with the next one?`,
  steps: [
    {
      words: "The client sends as many requests as its key is allowed.",
      method: "GET",
      path: "/pet/1",
      key: "free-key",
      times: requests,
      expected: 200,
    },
    addRex("The next one is refused, and Retry-After says for how long.", 429, { key: "free-key" }),
    advance("PT1M", "A minute passes, by the clock of the sandbox."),
    addRex("The same request is accepted.", 200, { key: "free-key" }),
  ],
  pets: 1,
})

const aDayLater: Experiment = {
  id: "a-day-later",
  name: "A day later",
  words: "A client repeats a request that has succeeded, after the service has forgotten its Idempotency-Key.",
  steps: [
    addRex("The client adds a pet.", 200),
    advance("P1DT1M", "A day and a minute pass, by the clock of the sandbox. Keys are kept for 24 hours."),
    addRex("The same request adds a second pet.", 200),
  ],
  pets: 2,
}

/** Requests that are sent one after the other while a page waits. */
const requestsMax = 600

/** The experiments where the Free plan allows this; that of the limit only if a minute's requests reach it soon, and before a day's. */
export function experimentsAt(free: Quota | undefined): readonly Experiment[] {
  const isReached = free !== undefined && free.minute <= requestsMax && free.minute < free.day
  return [loseAResponse, slowDown, ...(isReached ? [reachTheLimit(free.minute)] : []), aDayLater]
}
