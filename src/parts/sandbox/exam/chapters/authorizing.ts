import { expect } from "../../../../examiner/verdict.ts"
import type { RecordedRequest } from "../../journal/contract.ts"
import { type Acted, type Bench, type Chapter, resultOf } from "../task.ts"

/** Of the application that every sandbox has. */
const client = { clientId: "sample-client-id", clientSecret: "sample-client-secret" }
const five = [1, 2, 3, 4, 5]

/** The pets of these ids are read at once, with a token of the client's credentials. */
async function readPets({ sandbox, ask }: Bench, ids: readonly number[]): Promise<Acted> {
  const acted = await ask("readPets", { ids, token: { url: `${sandbox.url}/oauth/token`, ...client } })
  const read = (resultOf(acted) as ({ id: number } | undefined)[]).map((pet) => pet?.id)
  expect(JSON.stringify(read) === JSON.stringify(ids), `the pets were ${JSON.stringify(read)}`)
  return acted
}

const tokensOf = ({ requests }: Acted): RecordedRequest[] =>
  requests.filter(({ path }) => path.endsWith("/oauth/token"))

/** A token was used, and has expired. */
async function expire(bench: Bench): Promise<void> {
  await readPets(bench, [1])
  await bench.sandbox.advanceClock({ body: { advance: "PT2H" } })
}

export const authorizing: Chapter = {
  name: "Tokens",
  tasks: [
    {
      name: "keeps-its-token",
      expects: "An access token is used until it expires, not requested for each call.",
      async examine(bench) {
        const counts = [await readPets(bench, [1]), await readPets(bench, [2])].map((acted) => tokensOf(acted).length)
        expect(counts[0] === 1 && counts[1] === 0, `the token was requested ${counts.join(" and then ")} times`)
      },
    },
    {
      name: "replaces-an-expired-token",
      expects: "A 401 for an expired token leads to a new one, and the read is repeated.",
      async examine(bench) {
        await expire(bench)
        await readPets(bench, [2])
      },
    },
    {
      name: "replaces-it-once",
      expects: "Five concurrent reads with an expired token request one new token, not five.",
      async examine(bench) {
        await expire(bench)
        const { length } = tokensOf(await readPets(bench, five))
        expect(length === 1, `${length} tokens were requested`)
      },
    },
    {
      name: "replaces-a-token-refused-at-first",
      expects: "A 401 for a token that has just been issued, and has expired already, leads to another one too.",
      async examine(bench) {
        const rule = { match: { path: "/oauth/token", times: 1 }, fault: "token=expired" }
        await bench.sandbox.setFaults({ body: { rules: [rule] } })
        await readPets(bench, [1])
      },
    },
    {
      name: "requests-one-token-at-first",
      expects: "Five concurrent reads without a token request one, not five.",
      async examine(bench) {
        const { length } = tokensOf(await readPets(bench, five))
        expect(length === 1, `${length} tokens were requested`)
      },
    },
  ],
}
