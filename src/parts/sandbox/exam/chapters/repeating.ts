// Decision: docs/decisions/examiner.md#jitter-is-a-gap-between-the-two-shortest-of-equal-pauses-and-a-spread
import { expect } from "../../../../examiner/verdict.ts"
import {
  type Acted,
  type Bench,
  type Chapter,
  expectError,
  failing,
  pausesBetween,
  requestsFor,
  resultOf,
  times,
} from "../task.ts"

/** Clocks and timers have milliseconds, and a date has whole seconds. */
const toleranceMs = 50

/** The pet 1 was read at last, after a fault that its first request met. */
async function readAfter(bench: Bench, fault: string, count = 1): Promise<Acted> {
  await failing(bench, "getPetById", fault, count)
  const acted = await bench.ask("readPet", { id: 1 })
  const { name } = (resultOf(acted) ?? {}) as { name?: string }
  expect(name === "Cat 1", `the result is not the pet: ${JSON.stringify(acted.said)}`)
  return acted
}

function expectPause(acted: Acted, leastMs: number): void {
  const [pause = Number.NaN] = pausesBetween(acted.requests)
  expect(pause >= leastMs - toleranceMs, `the request was repeated after ${Math.round(pause)} ms`)
}

export const waiting: Chapter = {
  name: "Retry-After",
  tasks: [
    {
      name: "waits-in-seconds",
      expects: "A read that is 429 with Retry-After: 2 is repeated after two seconds, not earlier.",
      examine: async (bench) => expectPause(await readAfter(bench, "code=429; retry-after=2"), 2000),
    },
    {
      name: "waits-until-a-date",
      expects: "A read that is 503 with Retry-After as a date is repeated then, not earlier.",
      // The date has no fraction of a second.
      examine: async (bench) => expectPause(await readAfter(bench, "code=503; retry-after-date=3"), 2000),
    },
    {
      name: "leaves-a-long-wait",
      expects: "A read that is 429 with Retry-After: 3600 is not repeated in this minute; the caller learns of it.",
      async examine(bench) {
        await failing(bench, "getPetById", "code=429; retry-after=3600")
        const acted = await bench.ask("readPet", { id: 1 })
        expectError(acted, "a refused request has a result")
        expect(acted.requests.length === 1, `the request was sent ${times(acted.requests.length)}`)
      },
    },
  ],
}

export const repeating: Chapter = {
  name: "Repetition",
  tasks: [
    {
      name: "repeats-after-503",
      expects: "A read that is 503 is repeated.",
      examine: async (bench) => void (await readAfter(bench, "code=503; retry-after=1", 2)),
    },
    {
      name: "repeats-after-bad-gateway",
      expects: "A read that is 502 with an HTML page is repeated.",
      examine: async (bench) => void (await readAfter(bench, "fault=html")),
    },
    {
      name: "repeats-after-a-closed-connection",
      expects: "A read whose connection is closed without a response is repeated.",
      examine: async (bench) => void (await readAfter(bench, "fault=drop")),
    },
    {
      name: "repeats-after-a-reset-connection",
      expects: "A read whose connection is reset is repeated.",
      examine: async (bench) => void (await readAfter(bench, "fault=reset")),
    },
    {
      name: "leaves-404",
      expects: "A read that is 404 is not repeated, and is an error or the absence of a pet.",
      async examine(bench) {
        const acted = await bench.ask("readPet", { id: 999_999 })
        expect(acted.requests.length === 1, `the request was sent ${times(acted.requests.length)}`)
        expect("error" in acted.said || acted.said.result === null, `the result is ${JSON.stringify(acted.said)}`)
      },
    },
    {
      name: "leaves-a-refused-creation",
      expects: "A creation that is 400 is not repeated, and is an error.",
      async examine(bench) {
        const acted = await bench.ask("addPet", { pet: { name: "", photoUrls: [] } })
        expectError(acted, "a refused creation has a result")
        // A client may refuse it itself.
        expect(acted.requests.length <= 1, `the request was sent ${times(acted.requests.length)}`)
      },
    },
    {
      name: "times-out",
      expects: "An attempt without a response ends after timeoutSeconds, and the action with an error.",
      async examine(bench) {
        await failing(bench, "getPetById", "wait=30")
        const acted = await bench.ask("readPet", { id: 1 })
        expectError(acted, "there is a result without a response")
        const longest = Math.max(...acted.requests.map(({ durationMs }) => durationMs))
        expect(longest < 4000, `an attempt took ${Math.round(longest)} ms`)
      },
    },
  ],
}

const rounds = 4
/**
 * Other work on the machine makes some of equal pauses longer. The two shortest of random ones differ by more than this, and the
 * shortest and the longest, in milliseconds.
 */
const [gapMs, spreadMs] = [8, 60]

/** The pauses of reads that always fail, of several rounds. */
async function pausesOfRounds(bench: Bench): Promise<number[][]> {
  await failing(bench, "getPetById", "fault=html")
  const pauses: number[][] = []
  for (let n = 0; n < rounds; n++) {
    const acted = await bench.ask("readPet", { id: n + 1 })
    expectError(acted, "there is a result without a response")
    pauses.push(pausesBetween(acted.requests))
  }
  const few = pauses.find((one) => one.length < 2)
  expect(few === undefined, `the request was repeated ${times(few?.length ?? 0)}, too few to see a backoff`)
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
      async examine(bench) {
        const pauses = await pausesOfRounds(bench)
        const [first, last] = [sum(pauses.map(([pause]) => pause)), sum(pauses.map((one) => one.at(-1)))]
        expect(last > 1.2 * first, `the pauses were ${list(pauses)} ms`)
      },
    },
    {
      name: "varies-its-waits",
      expects: "The pauses are random, so that many clients do not come back at once.",
      isTimed: true,
      async examine(bench) {
        const pauses = await pausesOfRounds(bench)
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
      async examine(bench) {
        await failing(bench, "getPetById", "fault=reset")
        const acted = await bench.ask("readPet", { id: 1 })
        expectError(acted, "there is a result without a response")
        const { length } = requestsFor(acted, "getPetById")
        expect(length <= 10, `the request was sent ${times(length)}`)
      },
    },
  ],
}

const list = (pauses: readonly (readonly number[])[]): string =>
  pauses.map((one) => one.map((pause) => Math.round(pause)).join(", ")).join("; ")
