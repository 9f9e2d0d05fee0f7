import assert from "node:assert/strict"
import { test } from "node:test"
import { emptyExchange } from "../../../test/harness/exchange.ts"
import type { RequestExpectation } from "../../domain/sandbox/requests/contract.ts"
import { Problem } from "../../kernel/problem.ts"
import { Journals } from "../../sandbox/journal.ts"
import { verifyRequests } from "./verify-requests.ts"

type Sent = { method: string; path: string; status?: number }

/** A journal with these requests, one a second from the time 1 s; of more than `entriesMax` the oldest are removed. */
function journalOf(requests: readonly Sent[], entriesMax = 1000) {
  let now = 0
  const journal = new Journals({ entriesMax }).open({ now: () => now })
  for (const { method, path, status } of requests) {
    now += 1000
    journal.add({ ...emptyExchange, facts: { ...emptyExchange.facts, method, status }, path })
  }
  return journal
}

const add: Sent = { method: "POST", path: "/api/v3/pet", status: 200 }
const list: Sent = { method: "GET", path: "/api/v3/pet", status: 200 }
const absent: Sent = { method: "GET", path: "/api/v3/pet/9", status: 404 }
const lost: Sent = { method: "DELETE", path: "/api/v3/pet/9" }
const sent = [add, list, add, absent, lost]

type Outcome = { count: number; ids: number[]; detail?: string; nearest?: { id: number }[] }

async function verify(expected: RequestExpectation, journal = journalOf(sent)): Promise<Outcome> {
  try {
    return await verifyRequests(journal, expected)
  } catch (error) {
    assert.ok(error instanceof Problem && error.code === "requests-unexpected")
    return { detail: error.detail, ...error.members } as Outcome
  }
}
const detailOf = async (expected: RequestExpectation, journal = journalOf(sent)) => {
  const outcome = await verify(expected, journal)
  return outcome.detail ?? outcome.ids
}

const post = { method: "POST" }

test("a number of matching requests is at least one, or within the bounds that are given", async () => {
  for (const [expected, outcome] of [
    [{}, [1, 2, 3, 4, 5]],
    [{ match: post }, [1, 3]],
    [{ match: { method: "PUT" } }, "Expected at least 1 matching request, found 0."],
    [{ match: post, exactly: 2 }, [1, 3]],
    [{ match: post, exactly: 1 }, "Expected exactly 1 matching request, found 2."],
    [{ match: post, exactly: 3 }, "Expected exactly 3 matching requests, found 2."],
    [{ match: { method: "PUT" }, exactly: 0 }, []],
    [{ match: post, exactly: 0 }, "Expected exactly 0 matching requests, found 2."],
    [{ match: post, atLeast: 2 }, [1, 3]],
    [{ match: post, atLeast: 3 }, "Expected at least 3 matching requests, found 2."],
    [{ match: { method: "PUT" }, atLeast: 0 }, []],
    [{ match: post, atMost: 2 }, [1, 3]],
    [{ match: { method: "PUT" }, atMost: 2 }, []],
    [{ match: post, atMost: 1 }, "Expected at most 1 matching request, found 2."],
    [{ match: post, atLeast: 1, atMost: 2 }, [1, 3]],
    [{ match: post, atLeast: 3, atMost: 11 }, "Expected at least 3 and at most 11 matching requests, found 2."],
  ] as const)
    assert.deepEqual(await detailOf(expected), outcome, JSON.stringify(expected))
})

test("requests in an order are found one after the other", async () => {
  const inSequence = [post, { method: "GET" }, post, { status: "404" }]
  assert.deepEqual(await verify({ inSequence }), { count: 4, ids: [1, 2, 3, 4] })
  assert.deepEqual(await detailOf({ inSequence: [] }), [])
  const wrong = await verify({ inSequence: [post, { status: "404" }, post] })
  assert.deepEqual(wrong, {
    detail: "Expected 3 requests in this order, found the first 2 of them.",
    count: 2,
    ids: [1, 4],
    nearest: [
      { id: 3, method: "POST", path: "/api/v3/pet", status: 200, differs: [] },
      { id: 5, method: "DELETE", path: "/api/v3/pet/9", differs: ["method"] },
      { id: 2, method: "GET", path: "/api/v3/pet", status: 200, differs: ["method"] },
    ],
  })
  assert.equal(
    await detailOf({ inSequence: [{ method: "PUT" }] }),
    "Expected 1 request in this order, found the first 0 of them.",
  )
})

test("the five requests that come nearest are named, the latest first, without those that match", async () => {
  const journal = journalOf([...sent, list, list])
  const { nearest } = await verify({ match: { method: "GET", path: "/pet" }, exactly: 9 }, journal)
  assert.deepEqual(nearest, [
    { id: 4, method: "GET", path: "/api/v3/pet/9", status: 404, differs: ["path"] },
    { id: 3, method: "POST", path: "/api/v3/pet", status: 200, differs: ["method"] },
    { id: 1, method: "POST", path: "/api/v3/pet", status: 200, differs: ["method"] },
    { id: 5, method: "DELETE", path: "/api/v3/pet/9", differs: ["method", "path"] },
  ])
  const six = await verify({ match: { method: "PUT" } }, journalOf([...sent, list]))
  assert.deepEqual(
    six.nearest?.map(({ id }) => id),
    [6, 5, 4, 3, 2],
  )
})

test("a hundred matching requests are named, and all are counted", async () => {
  const { count, ids } = await verify({}, journalOf(Array(101).fill(list)))
  assert.deepEqual([count, ids.length, ids.at(-1)], [101, 100, 100])
})

test("requests count from a time on, which is included", async () => {
  assert.deepEqual(await detailOf({ since: "1970-01-01T00:00:03Z" }), [3, 4, 5])
  assert.deepEqual(await detailOf({ since: "1970-01-01T00:00:03.001Z" }), [4, 5])
})

test("what is no longer kept makes an upper bound uncertain from its time on, and explains a failure", async () => {
  const journal = journalOf(sent, 3)
  const advice = "DELETE /sandbox/requests before what is verified, or give since"
  const uncertain = `1 match among those kept, but earlier requests are no longer kept. ${advice}`
  assert.equal(await detailOf({ match: post, exactly: 1 }, journal), uncertain)
  assert.equal(await detailOf({ match: post, atMost: 1 }, journal), uncertain)
  assert.deepEqual(await verify({ match: post, atMost: 1 }, journal), {
    detail: uncertain,
    count: 1,
    ids: [3],
    nearest: [],
  })
  assert.deepEqual(await detailOf({ match: post, atLeast: 1 }, journal), [3])
  assert.equal(await detailOf({ match: post, exactly: 1, since: "1970-01-01T00:00:02Z" }, journal), uncertain)
  assert.deepEqual(await detailOf({ match: post, exactly: 1, since: "1970-01-01T00:00:02.001Z" }, journal), [3])
  const lost = ` Earlier requests are no longer kept. ${advice}`
  assert.equal(
    await detailOf({ match: post, exactly: 2 }, journal),
    `Expected exactly 2 matching requests, found 1.${lost}`,
  )
})
