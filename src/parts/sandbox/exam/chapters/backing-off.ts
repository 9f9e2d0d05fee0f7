// Decision: docs/decisions/examiner.md#equal-pauses-crowd-at-the-shortest
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
/** Other work makes some of equal pauses longer, in milliseconds: many of them by no more than the gap, and few by more than the spread. */
const [gapMs, spreadMs] = [8, 60]

const pets = Array.from({ length: readsMax }, (_, n) => n + 1)

/** Reads of several pets that always fail. */
const failingReads: Pick<ObservedTask, "steps" | "furtherSteps" | "judgeSaid"> = {
  steps: pets
    .slice(0, readsMin)
    .map((id) => readingPet(id, id === 1 ? failure("getPetById", "fault=html") : undefined)),
  furtherSteps: pets.slice(readsMin).map((id) => readingPet(id)),
  judgeSaid: (acted) => expectError(acted, "there is a result without a response"),
}

/** The pauses before the repetitions of each, and what they say if that is too little. */
function pausesOfReads({ requests }: Evidence) {
  const pauses = [...Map.groupBy(requests, ({ path }) => path).values()].map(pausesBetween)
  const few = pauses.find((one) => one.length < 2)
  expectEventually(few === undefined, `the request was repeated ${times(few?.length ?? 0)}, too few to see a backoff`)
  expectEventually(pauses.length >= readsMin, `${pauses.length} pets were read`)
  const observed = `the pauses were ${pauses.map((one) => one.map(Math.round).join(", ")).join("; ")} ms`
  const expectDecided = (isDecided: boolean) => {
    if (!isDecided && pauses.length < readsMax)
      throw new Undecided(`read another pet, because these do not tell: ${observed}`)
  }
  return { pauses, observed, expectDecided }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The mean of values, and its standard error. */
function meanOf(values: readonly number[]): { mean: number; error: number } {
  const { length } = values
  const mean = sum(values) / length
  return { mean, error: Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (length - 1) / length) }
}

/** Of the pauses before one repetition, without the shortest: how many there are, and how many are nearly as short. */
type Repetition = { count: number; short: number; isSpread: boolean }

function repetitionsOf(pauses: readonly (readonly number[])[]): Repetition[] {
  const most = Math.max(...pauses.map(({ length }) => length))
  return Array.from({ length: most }, (_, n) => {
    const [least = 0, ...others] = pauses.flatMap((one) => one[n] ?? []).sort((a, b) => a - b)
    const isSpread = (others.at(-1) ?? least) - least > spreadMs
    return { count: others.length, short: others.filter((pause) => pause - least <= gapMs).length, isSpread }
  })
}

/** The share of short pauses: of those that are spread, if any are, because those of others say nothing. */
function shareOfShort(repetitions: readonly Repetition[]) {
  const spread = repetitions.filter(({ isSpread }) => isSpread)
  const isSpread = spread.length > 0
  const judged = isSpread ? spread : repetitions
  const count = sum(judged.map((one) => one.count))
  return { share: sum(judged.map(({ short }) => short)) / count, count, isSpread }
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
      judge(evidence) {
        const { pauses, observed, expectDecided } = pausesOfReads(evidence)
        const { mean, error } = meanOf(pauses.map(([first = 0, ...more]) => (more.at(-1) ?? 0) - 1.2 * first - gapMs))
        expectDecided(Math.abs(mean) >= 3 * error)
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
        const { pauses, observed, expectDecided } = pausesOfReads(evidence)
        const repetitions = repetitionsOf(pauses)
        // Some clients repeat at once the first time.
        const shares = [repetitions, repetitions.slice(1)].map(shareOfShort)
        const isRandom = (shareMax: number, countMin: number) =>
          shares.some(({ share, count, isSpread }) => isSpread && share < shareMax && count >= countMin)
        expectDecided(isRandom(0.1, 12) || shares.every(({ share }) => share >= 0.5))
        expect(isRandom(0.25, readsMax - 1), observed)
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
