// Decision: docs/decisions/examiner.md#jitter-is-a-gap-between-the-two-shortest-of-equal-pauses-and-a-spread
// Decision: docs/decisions/examiner.md#growth-is-judged-when-it-exceeds-what-chance-explains
import { expect } from "../../../../examiner/verdict.ts"
import {
  type Chapter,
  type Evidence,
  expectError,
  expectEventually,
  failure,
  type ObservedTask,
  pausesBetween,
  practice,
  requestsFor,
  times,
  Undecided,
} from "../task.ts"
import { failsWith, readingPet } from "./repeating.ts"

/** How many pets are read, and how many at most where that says too little. */
const [readsMin, readsMax] = [4, 12]
/**
 * Other work on the machine makes some of equal pauses longer. Those that grow do so by more than the gap; the two shortest of random
 * ones differ by more than it, and the shortest and the longest by more than the spread, in milliseconds.
 */
const [gapMs, spreadMs] = [8, 60]

const pets = Array.from({ length: readsMax }, (_, n) => n + 1)

/** Reads of several pets that always fail. */
const failingReads: Pick<ObservedTask, "steps" | "judgeSaid"> = {
  steps: pets
    .slice(0, readsMin)
    .map((id) => readingPet(id, id === 1 ? failure("getPetById", "fault=html") : undefined)),
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

/** The mean of values, and its standard error. */
function meanOf(values: readonly number[]): { mean: number; error: number } {
  const { length } = values
  const sum = (terms: readonly number[]) => terms.reduce((total, term) => total + term, 0)
  const mean = sum(values) / length
  return { mean, error: Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (length - 1) / length) }
}

export const backingOff: Chapter = {
  name: "Backoff",
  tasks: [
    {
      name: "waits-longer-each-time",
      expects: "The pauses before repetitions grow, where the service does not say how long to wait.",
      source: practice,
      needs: "retries",
      ...failingReads,
      furtherSteps: pets.slice(readsMin).map((id) => readingPet(id)),
      judge(evidence) {
        const pauses = pausesOfReads(evidence)
        const { mean, error } = meanOf(pauses.map(([first = 0, ...more]) => (more.at(-1) ?? 0) - 1.2 * first - gapMs))
        const observed = `the pauses were ${list(pauses)} ms`
        if (pauses.length < readsMax && Math.abs(mean) < 2 * error)
          throw new Undecided(`read another pet, because they are too random to say: ${observed}`)
        expect(mean > 0, observed)
      },
    },
    {
      name: "varies-its-waits",
      expects: "The pauses are random, so that many clients do not come back at once.",
      source: practice,
      needs: "retries",
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
      source: practice,
      needs: "retries",
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
