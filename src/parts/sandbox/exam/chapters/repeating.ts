// Decision: docs/decisions/examiner.md#jitter-is-a-gap-between-the-two-shortest-of-equal-pauses-and-a-spread
import { expect } from "../../../../examiner/verdict.ts"
import {
  type Chapter,
  type Evidence,
  type ExamStep,
  expectError,
  expectEventually,
  failure,
  type ObservedTask,
  type Preparation,
  pausesBetween,
  requestsFor,
  resultOf,
  times,
} from "../task.ts"

/** Clocks and timers have milliseconds, and a date has whole seconds. */
const toleranceMs = 50

const readingPet = (id: number, before?: Preparation): ExamStep => ({
  ...(before && { before }),
  action: "readPet",
  input: { id },
})

/** The pet 1 is read at last, after a fault that its first requests meet, and a pause of so long. */
const readsAfter = (
  fault: string,
  { count = 1, leastMs }: { count?: number; leastMs?: number } = {},
): Pick<ObservedTask, "steps" | "judge" | "judgeSaid"> => ({
  steps: [readingPet(1, failure("getPetById", fault, count))],
  judgeSaid(acted) {
    const { name } = (resultOf(acted) ?? {}) as { name?: string }
    expect(name === "Cat 1", `the result is not the pet: ${JSON.stringify(acted.said)}`)
  },
  judge(evidence) {
    const requests = requestsFor(evidence, "getPetById")
    const [pause] = pausesBetween(requests)
    expectEventually(pause !== undefined, "the request was not repeated")
    expect(
      leastMs === undefined || pause >= leastMs - toleranceMs,
      `the request was repeated after ${Math.round(pause)} ms`,
    )
    const last = requests.at(-1)
    expectEventually(
      last?.status === 200 && last.fault === undefined,
      "the request was not repeated until it succeeded",
    )
  },
})

/** The pet 1 is read while each attempt fails, and the caller learns of it. */
const failsWith = (fault: string, instead: string): Pick<ObservedTask, "steps" | "isOverWhenQuiet" | "judgeSaid"> => ({
  steps: [readingPet(1, failure("getPetById", fault))],
  isOverWhenQuiet: true,
  judgeSaid: (acted) => expectError(acted, instead),
})

function expectOneRequest(evidence: Evidence): void {
  const { length } = requestsFor(evidence, "getPetById")
  expect(length === 1, `the request was sent ${times(length)}`)
}

export const waiting: Chapter = {
  name: "Retry-After",
  tasks: [
    {
      name: "waits-in-seconds",
      expects: "A read that is 429 with Retry-After: 2 is repeated after two seconds, not earlier.",
      ...readsAfter("code=429; retry-after=2", { leastMs: 2000 }),
    },
    {
      name: "waits-until-a-date",
      expects: "A read that is 503 with Retry-After as a date is repeated then, not earlier.",
      // The date has no fraction of a second.
      ...readsAfter("code=503; retry-after-date=3", { leastMs: 2000 }),
    },
    {
      name: "leaves-a-long-wait",
      expects: "A read that is 429 with Retry-After: 3600 is not repeated in this minute; the caller learns of it.",
      ...failsWith("code=429; retry-after=3600", "a refused request has a result"),
      judge: expectOneRequest,
    },
  ],
}

export const repeating: Chapter = {
  name: "Repetition",
  tasks: [
    {
      name: "repeats-after-503",
      expects: "A read that is 503 is repeated.",
      ...readsAfter("code=503; retry-after=1", { count: 2 }),
    },
    {
      name: "repeats-after-bad-gateway",
      expects: "A read that is 502 with an HTML page is repeated.",
      ...readsAfter("fault=html"),
    },
    {
      name: "repeats-after-a-closed-connection",
      expects: "A read whose connection is closed without a response is repeated.",
      ...readsAfter("fault=drop"),
    },
    {
      name: "repeats-after-a-reset-connection",
      expects: "A read whose connection is reset is repeated.",
      ...readsAfter("fault=reset"),
    },
    {
      name: "leaves-404",
      expects: "A read that is 404 is not repeated, and is an error or the absence of a pet.",
      steps: [readingPet(999_999)],
      isOverWhenQuiet: true,
      judge: expectOneRequest,
      judgeSaid: ({ said }) => expect("error" in said || said.result === null, `the result is ${JSON.stringify(said)}`),
    },
    {
      name: "leaves-a-refused-creation",
      expects: "A creation that is 400 is not repeated, and is an error.",
      steps: [{ action: "addPet", input: { pet: { name: "", photoUrls: [] } } }],
      isOverWhenQuiet: true,
      judgeSaid: (acted) => expectError(acted, "a refused creation has a result"),
      // A client may refuse it itself.
      judge: ({ requests: { length } }) => expect(length <= 1, `the request was sent ${times(length)}`),
    },
    {
      name: "times-out",
      expects: "An attempt without a response ends after timeoutSeconds, and the action with an error.",
      ...failsWith("wait=30", "there is a result without a response"),
      judge({ requests }) {
        const longest = Math.max(...requests.map(({ durationMs }) => durationMs))
        expect(longest < 4000, `an attempt took ${Math.round(longest)} ms`)
      },
    },
  ],
}

const readsMin = 4
/**
 * Other work on the machine makes some of equal pauses longer. The two shortest of random ones differ by more than this, and the
 * shortest and the longest, in milliseconds.
 */
const [gapMs, spreadMs] = [8, 60]

/** Reads of several pets that always fail. */
const failingReads: Pick<ObservedTask, "steps" | "judgeSaid"> = {
  steps: [readingPet(1, failure("getPetById", "fault=html")), readingPet(2), readingPet(3), readingPet(4)],
  judgeSaid: (acted) => expectError(acted, "there is a result without a response"),
}

/** The pauses before the repetitions of each. */
function pausesOfReads({ requests }: Evidence): number[][] {
  const pauses = [...Map.groupBy(requests, ({ path }) => path).values()].map(pausesBetween)
  const few = pauses.find((one) => one.length < 2)
  expectEventually(few === undefined, `the request was repeated ${times(few?.length ?? 0)}, too few to see a backoff`)
  expectEventually(pauses.length >= readsMin, `${pauses.length} pets were read`)
  return pauses
}

const sum = (values: readonly (number | undefined)[]): number =>
  values.reduce((total: number, value = 0) => total + value, 0)

export const backingOff: Chapter = {
  name: "Backoff",
  tasks: [
    {
      name: "waits-longer-each-time",
      expects: "The pauses before repetitions grow, where the service does not say how long to wait.",
      ...failingReads,
      judge(evidence) {
        const pauses = pausesOfReads(evidence)
        const [first, last] = [sum(pauses.map(([pause]) => pause)), sum(pauses.map((one) => one.at(-1)))]
        expect(last > 1.2 * first, `the pauses were ${list(pauses)} ms`)
      },
    },
    {
      name: "varies-its-waits",
      expects: "The pauses are random, so that many clients do not come back at once.",
      isTimed: true,
      ...failingReads,
      judge(evidence) {
        const pauses = pausesOfReads(evidence)
        const longest = Math.max(...pauses.map(({ length }) => length))
        const isRandom = Array.from({ length: longest }, (_, n) => {
          const [least = 0, next = least, ...more] = pauses.flatMap((one) => one[n] ?? []).sort((a, b) => a - b)
          return next - least > gapMs && (more.at(-1) ?? next) - least > spreadMs
        }).includes(true)
        expect(isRandom, `the pauses were ${list(pauses)} ms`)
      },
    },
    {
      name: "gives-up",
      expects: "A read that always fails ends with an error after at most ten requests.",
      ...failsWith("fault=reset", "there is a result without a response"),
      judge(evidence) {
        const { length } = requestsFor(evidence, "getPetById")
        expect(length <= 10, `the request was sent ${times(length)}`)
      },
    },
  ],
}

const list = (pauses: readonly (readonly number[])[]): string =>
  pauses.map((one) => one.map((pause) => Math.round(pause)).join(", ")).join("; ")
