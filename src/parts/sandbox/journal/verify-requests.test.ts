import assert from "node:assert/strict"
import { test } from "node:test"
import { setImmediate as nextTurn } from "node:timers/promises"
import fc from "fast-check"
import { emptyExchange } from "../../../../test/harness/exchange.ts"
import { principalOf } from "../../../../test/harness/principal.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { RequestMatcher } from "../matching/contract.ts"
import { differencesOf } from "../matching/rules.ts"
import type { Exchanged, RequestJournal } from "../model.ts"
import type { RecordedRequest, RequestExpectation } from "./contract.ts"
import { Journals } from "./journal.ts"
import { showEntry } from "./recorded-request.ts"
import { verifyRequests } from "./verify-requests.ts"

const optional = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })

const exchange: fc.Arbitrary<Exchanged> = fc
  .record({
    operation: optional("addPet", "getPetById", "placeOrder"),
    method: fc.constantFrom("GET", "POST"),
    status: optional(200, 404, 422),
    account: optional(1, 2),
    path: fc.constantFrom("/api/v3/pet", "/api/v3/pet/1", "/v2/pet", "/api/v3/store/order"),
    header: optional("1", "2"),
    body: optional("Rex", "Bella", '{"name":"Rex","password":"Bella"}'),
  })
  .map(({ operation, method, status, account, path, header, body }) => ({
    ...emptyExchange,
    facts: {
      ...emptyExchange.facts,
      operation,
      method,
      status,
      caller: account === undefined ? undefined : principalOf(account).caller,
    },
    path,
    requestHeaders: header === undefined ? [] : ["x-mine", header],
    responseHeaders: [["x-request-id", `id-${header}`]],
    requestBody: body === undefined ? undefined : Buffer.from(body),
  }))

const matcher = fc.record(
  {
    operation: fc.constantFrom("addPet", "getPetById"),
    method: fc.constantFrom("get", "POST"),
    status: fc.constantFrom<string>("200", "4xx"),
    key: fc.constantFrom(1, 2),
    path: fc.constantFrom("/pet", "/pet/*", "/*"),
    header: fc.constantFrom("x-mine", "X-Mine: 2"),
    text: fc.constantFrom("Rex", "Bella"),
    requestId: fc.constant("id-1"),
  } satisfies Record<keyof RequestMatcher, fc.Arbitrary<string | number>>,
  { requiredKeys: [] },
)

const count = fc.constantFrom(0, 1, 2, 5)
const expectation = fc.oneof(
  fc.record({ match: matcher, atLeast: count, atMost: count, exactly: count }, { requiredKeys: [] }),
  fc.record({ inSequence: fc.array(matcher, { minLength: 1, maxLength: 4 }) }),
)

function journalOf(exchanges: readonly Exchanged[]) {
  const journal = new Journals().open({ now: () => 0 })
  for (const each of exchanges) journal.add(each)
  return journal
}

/** What is found, and of a refusal its members. */
async function verify(journal: RequestJournal, expected: RequestExpectation) {
  try {
    return { found: await verifyRequests(journal, expected) }
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.members as { count: number; ids: number[]; nearest: object[] }
  }
}

/** The requests that match, and of the others the nearest, judged by all that was recorded of each. */
function judgeAll(journal: RequestJournal, { match = {}, inSequence }: RequestExpectation) {
  const all = journal.newest(undefined).map((entry) => showEntry(entry) as RecordedRequest)
  const matching: RecordedRequest[] = []
  for (const one of all.toReversed()) {
    const wanted = inSequence ? inSequence[matching.length] : match
    if (wanted && differencesOf(one, wanted).length === 0) matching.push(one)
  }
  const wanted = inSequence?.[matching.length] ?? match
  const nearest = all
    .filter((one) => !matching.includes(one))
    .map(({ id, method, path, status, ...others }) => ({
      id,
      method,
      path,
      ...(status !== undefined && { status }),
      differs: differencesOf({ method, path, ...(status !== undefined && { status }), ...others }, wanted),
    }))
    .sort((a, b) => a.differs.length - b.differs.length || b.id - a.id)
  return { count: matching.length, ids: matching.map(({ id }) => id), nearest: nearest.slice(0, 5) }
}

test("what is judged by facts first is what all that was recorded would give (slow)", () =>
  fc.assert(
    fc.asyncProperty(fc.array(exchange, { maxLength: 20 }), expectation, async (exchanges, expected) => {
      const journal = journalOf(exchanges)
      const { nearest, ...counted } = judgeAll(journal, expected)
      const verified = await verify(journal, expected)
      assert.deepEqual(verified, "found" in verified ? { found: counted } : { ...counted, nearest })
    }),
    { numRuns: 1_000 },
  ))

test("requests that are sought by facts alone are counted, and the nearest named, without reading what was sent (slow)", async () => {
  const requestBody = Buffer.from(JSON.stringify({ name: "a ".repeat(2_000) }))
  const journal = journalOf(Array.from({ length: 1_000 }, () => ({ ...emptyExchange, requestBody })))
  async function fastest(expected: RequestExpectation): Promise<number> {
    const durations: number[] = []
    for (let n = 0; n < 5; n++) {
      const startedAt = performance.now()
      await verify(journal, expected)
      durations.push(performance.now() - startedAt)
    }
    return Math.min(...durations)
  }
  const read = await fastest({ match: { text: "Rex" }, atMost: 0 })
  for (const expected of [
    { match: { operation: "addPet", status: "2xx" }, exactly: 1_000 },
    { match: { operation: "placeOrder" } },
    { match: { operation: "placeOrder", text: "Rex" }, atMost: 0 },
    { inSequence: [{ method: "POST" }, { operation: "placeOrder" }] },
  ])
    assert.ok((await fastest(expected)) < read / 4, JSON.stringify(expected))
})

const never = new Promise<void>(() => {})
const isPending = (running: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    running.then(
      () => false,
      () => false,
    ),
    nextTurn(true),
  ])

test("a check waits for the last request that is missing, in a number or an order", async () => {
  for (const expected of [
    { match: { operation: "addPet" }, atLeast: 2 },
    { inSequence: [{ operation: "addPet" }, { method: "POST" }] },
  ]) {
    const journal = journalOf([])
    const checked = verifyRequests(journal, expected, never)
    for (const _ of [1, 2]) {
      assert.ok(await isPending(checked), JSON.stringify(expected))
      journal.add(emptyExchange)
    }
    assert.deepEqual(await checked, { count: 2, ids: [1, 2] })
  }
})

test("exactly and atMost are checked until the time has passed, with the requests until then, or until there are too many", async () => {
  for (const expected of [{ exactly: 1 }, { atMost: 1 }, { atLeast: 0, atMost: 1 }]) {
    const journal = journalOf([])
    const ended = Promise.withResolvers<void>()
    const [held, exceeded] = [
      verifyRequests(journal, expected, ended.promise),
      verifyRequests(journal, expected, never),
    ]
    journal.add(emptyExchange)
    assert.ok(await isPending(held), JSON.stringify(expected))
    ended.resolve()
    assert.deepEqual(await held, { count: 1, ids: [1] })
    assert.ok(await isPending(exceeded), JSON.stringify(expected))
    journal.add(emptyExchange)
    await assert.rejects(exceeded, /found 2/)
  }
})

test("a check does not wait for certainty that is lost with earlier requests", async () => {
  const journal = new Journals({ entriesMax: 1 }).open({ now: () => 0 })
  const checked = verifyRequests(journal, { exactly: 1 }, never)
  for (const _ of [1, 2]) journal.add(emptyExchange)
  await assert.rejects(checked, /arlier requests are no longer kept/)
})
