import { expect } from "../../../../examiner/verdict.ts"
import {
  type Acted,
  type Chapter,
  type ExamStep,
  expectEventually,
  listOf,
  type ObservedTask,
  type Preparation,
  practice,
  requestsFor,
  times,
} from "../task.ts"

const five = [1, 2, 3, 4, 5]

/** A token was used, and has expired. */
const afterExpiry = { advance: "PT2H" }
const refusedAtFirst = { faults: [{ match: { path: "/oauth/token", times: 1 }, fault: "token=expired" }] }

/** The pets of these ids are read at once, with a token of the client's credentials. */
const reading = (ids: readonly number[], before?: Preparation): ExamStep => ({
  ...(before && { before }),
  action: "readPets",
  input: { ids },
})

/** The pets are read after the last preparation, with so many tokens at most. */
const readsWith = (
  tokensMax: number,
  ...steps: readonly ExamStep[]
): Pick<ObservedTask, "steps" | "judge" | "judgeSaid"> => ({
  steps,
  judge(evidence) {
    const { length } = evidence.requests.filter(({ path }) => path.endsWith("/oauth/token"))
    expect(length <= tokensMax, `the token was requested ${times(length)}`)
    expectEventually(length > 0, "no token was requested")
    const read = requestsFor(evidence, "getPetById").filter(({ status }) => status === 200)
    const wanted = steps.filter((_, n) => !steps.slice(n + 1).some(({ before }) => before)).flatMap(idsOf)
    const missing = wanted.filter((id) => !read.some(({ path }) => path.endsWith(`/pet/${id}`)))
    expectEventually(missing.length === 0, `pets that were not read: ${missing.join(", ")}`)
  },
  judgeSaid: (acted, step) => expectPets(acted, idsOf(step)),
})

const idsOf = ({ input }: ExamStep) => (input as { ids: readonly number[] }).ids

function expectPets(acted: Acted, ids: readonly number[]): void {
  const read = listOf(acted).map((pet) => Object(pet).id)
  expect(JSON.stringify(read) === JSON.stringify(ids), `the pets were ${JSON.stringify(read)}`)
}

export const authorizing: Chapter = {
  name: "Tokens",
  tasks: [
    {
      name: "keeps-its-token",
      source: practice,
      expects: "An access token is used until it expires, not requested for each call.",
      ...readsWith(1, reading([1]), reading([2])),
    },
    {
      name: "replaces-an-expired-token",
      source: "RFC 6750 section 3.1",
      expects: "A 401 for an expired token leads to a new one, and the read is repeated.",
      ...readsWith(Number.POSITIVE_INFINITY, reading([1]), reading([2], afterExpiry)),
    },
    {
      name: "replaces-it-once",
      source: practice,
      expects: "Five concurrent reads with an expired token request one new token, not five.",
      ...readsWith(1, reading([1]), reading(five, afterExpiry)),
    },
    {
      name: "replaces-a-token-refused-at-first",
      source: "RFC 6750 section 3.1",
      expects: "A 401 for a token that has just been issued, and has expired already, leads to another one too.",
      ...readsWith(Number.POSITIVE_INFINITY, reading([1], refusedAtFirst)),
    },
    {
      name: "requests-one-token-at-first",
      source: practice,
      expects: "Five concurrent reads without a token request one, not five.",
      ...readsWith(1, reading(five)),
    },
  ],
}
