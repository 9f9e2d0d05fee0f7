import { expect } from "../../../../examiner/verdict.ts"
import type { RecordedRequest } from "../../journal/contract.ts"
import {
  type Acted,
  type Chapter,
  type Evidence,
  type ExamStep,
  expectError,
  expectEventually,
  failure,
  type ObservedTask,
  type Preparation,
  petOf,
  practice,
  requestsFor,
  times,
} from "../task.ts"
import { expectWaits } from "./expect-waits.ts"

export const readingPet = (id: number, before?: Preparation): ExamStep => ({
  ...(before && { before }),
  action: "readPet",
  input: { id },
})

type Observed = Pick<ObservedTask, "steps" | "judge" | "judgeSaid">

/** The pet 1 is read at last, after a fault that its first requests meet. */
const readsAfter = (fault: string, count = 1): Observed => ({
  steps: [readingPet(1, failure("getPetById", fault, count))],
  judgeSaid: expectPet,
  judge: (evidence) => expectRepeated(requestsFor(evidence, "getPetById")),
})

/** Two pets are read, each after one response with its own Retry-After. */
const waitsAfter = (faultWith: (seconds: number) => string): Observed => {
  const faults = [1, 4].map((seconds, n) => ({ match: { path: `/pet/${n + 1}`, times: 1 }, fault: faultWith(seconds) }))
  return {
    steps: [readingPet(1, { faults }), readingPet(2)],
    judgeSaid: expectPet,
    judge(evidence) {
      const reads = Map.groupBy(requestsFor(evidence, "getPetById"), ({ path }) => path)
      for (const requests of reads.values()) {
        expectWaits(requests)
        expectRepeated(requests)
      }
      expectEventually(reads.size >= faults.length, `pets that were read: ${reads.size}`)
    },
  }
}

function expectPet(acted: Acted, { input }: ExamStep): void {
  const pet = petOf(acted)
  expect(pet.id === Object(input).id, `the result is another pet: ${JSON.stringify(pet)}`)
}

function expectRepeated(requests: readonly RecordedRequest[]): void {
  expectEventually(requests.length > 1, "the request was not repeated")
  const last = requests.at(-1)
  const isDone = last?.status === 200 && last.fault === undefined
  expectEventually(isDone, "the request was not repeated until it succeeded")
}

/** The pet 1 is read while each attempt fails, and the caller learns of it. */
export const failsWith = (
  fault: string,
  instead: string,
): Pick<ObservedTask, "steps" | "isOverWhenQuiet" | "judgeSaid"> => ({
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
      expects:
        "After Retry-After: 1, and after 4, a read that was 429 is repeated: not earlier, and at most 3 s later.",
      source: "RFC 9110 section 10.2.3",
      needs: "retries",
      ...waitsAfter((seconds) => `code=429; retry-after=${seconds}`),
    },
    {
      name: "waits-until-a-date",
      expects:
        "A read that was 503 is repeated at the date in Retry-After, in 1 s or 4 s: not earlier, and at most 3 s later.",
      source: "RFC 9110 section 10.2.3",
      needs: "retries",
      ...waitsAfter((seconds) => `code=503; retry-after-date=${seconds}`),
    },
    {
      name: "leaves-a-long-wait",
      expects: "A read that is 429 with Retry-After: 3600 is not repeated, and its caller learns of it within 20 s.",
      source: practice,
      needs: "retries",
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
      source: practice,
      needs: "retries",
      ...readsAfter("code=503; retry-after=1", 2),
    },
    {
      name: "repeats-after-bad-gateway",
      expects: "A read that is 502 with an HTML page is repeated.",
      source: practice,
      needs: "retries",
      ...readsAfter("fault=html"),
    },
    {
      name: "repeats-after-a-closed-connection",
      expects: "A read whose connection is closed without a response is repeated.",
      source: practice,
      needs: "reconnects",
      ...readsAfter("fault=drop"),
    },
    {
      name: "repeats-after-a-reset-connection",
      expects: "A read whose connection is reset is repeated.",
      source: practice,
      needs: "reconnects",
      ...readsAfter("fault=reset"),
    },
    {
      name: "leaves-404",
      expects: "A read that is 404 is not repeated, and is an error or the absence of a pet.",
      source: practice,
      needs: "retries",
      steps: [readingPet(999_999)],
      isOverWhenQuiet: true,
      judge: expectOneRequest,
      judgeSaid: ({ said }) => expect("error" in said || said.result === null, `the result is ${JSON.stringify(said)}`),
    },
    {
      name: "leaves-a-refused-creation",
      expects: "A creation that is 422 is not repeated, and is an error.",
      source: practice,
      needs: "retries",
      // The client cannot know that it is refused.
      steps: [
        { before: failure("addPet", "code=422"), action: "addPet", input: { pet: { name: "Rex", photoUrls: [] } } },
      ],
      isOverWhenQuiet: true,
      judgeSaid: (acted) => expectError(acted, "a refused creation has a result"),
      judge: ({ requests: { length } }) => expect(length === 1, `the request was sent ${times(length)}`),
    },
    {
      name: "times-out",
      expects: "An attempt without a response ends after timeoutSeconds, and the action with an error.",
      source: practice,
      ...failsWith("wait=30", "there is a result without a response"),
      judge({ requests }) {
        const longest = Math.max(...requests.map(({ durationMs }) => durationMs))
        expect(longest < 4000, `an attempt took ${Math.round(longest)} ms`)
      },
    },
  ],
}
