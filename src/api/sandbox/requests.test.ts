import assert from "node:assert/strict"
import { test } from "node:test"
import { emptyExchange } from "../../../test/harness/exchange.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import { runVerb } from "../../../test/harness/verb.ts"
import type { Exchanged, ExchangeFacts } from "../../domain/sandbox/model.ts"
import type { RequestExpectation, RequestMatcher } from "../../domain/sandbox/requests/contract.ts"
import { pageBytesMax } from "../../kernel/endpoint/page.ts"
import { Problem } from "../../kernel/problem.ts"
import { Journals } from "../../sandbox/journal.ts"
import { requestVerbs } from "./requests.ts"

type Added = Partial<Exchanged> & { of?: Partial<ExchangeFacts> }

/** The operations on a journal with these requests, one a second from the time 1 s. */
function verbsFor(...added: readonly Added[]) {
  let now = 0
  const journal = new Journals({ entriesMax: 1000 }).open({ now: () => now })
  for (const { of, ...given } of added) {
    now += 1000
    journal.add({ ...emptyExchange, ...given, facts: { ...emptyExchange.facts, ...of } })
  }
  return { ...requestVerbs(journal), journal }
}

const violationsOf = (problem: Problem) =>
  problem.violations.map((violation) => [
    "pointer" in violation ? violation.pointer : violation.parameter,
    violation.code,
    violation.detail,
  ])

/** The ids of a page, and where the next one starts; or the violations of the refusal. */
async function list(
  { listRequests }: ReturnType<typeof verbsFor>,
  query: RequestMatcher & { since?: string } = {},
  { limit = 100, before = undefined as number | undefined } = {},
) {
  const page = await runVerb(listRequests, {}, { query, page: { limit, before } })
  if (page instanceof Problem) return violationsOf(page)
  assert.ok("items" in page)
  return [page.items.map((item) => (typeof item === "string" ? JSON.parse(item) : item).id), page.next]
}

const { caller } = principalOf(7)
const five = verbsFor(
  { of: { operation: "addPet", caller } },
  { of: { operation: "getPetById", method: "GET", status: 404 }, path: "/api/v3/pet/1" },
  { of: { operation: undefined, status: undefined }, path: "/api/v3/pet/2" },
  { of: { operation: "addPet" }, requestHeaders: ["x-a", "1"] },
  { of: { operation: "addPet", caller: { ...caller, credential: { kind: "session", id: 1 } } } },
)

test("requests are listed newest first, in pages that name the next one", async () => {
  assert.deepEqual(await list(five), [[5, 4, 3, 2, 1], undefined])
  assert.deepEqual(await list(five, {}, { limit: 2 }), [[5, 4], 4])
  assert.deepEqual(await list(five, {}, { limit: 2, before: 4 }), [[3, 2], 2])
  assert.deepEqual(await list(five, {}, { limit: 2, before: 2 }), [[1], undefined])
  assert.deepEqual(await list(five, {}, { limit: 5 }), [[5, 4, 3, 2, 1], undefined])
  assert.deepEqual(await list(verbsFor()), [[], undefined])
})

test("requests are found by what is known of them, what was sent, and time", async () => {
  for (const [query, ids] of [
    [{ operation: "addPet" }, [5, 4, 1]],
    [{ operation: "getPetById", method: "get", status: "4xx" }, [2]],
    [{ status: "200" }, [5, 4, 1]],
    [{ key: 1 }, [1]],
    [{ path: "/pet/*" }, [3, 2]],
    [{ path: "/api/v3/pet/2" }, [3]],
    [{ path: "/%" }, []],
    [{ header: "X-A: 1" }, [4]],
    [{ since: "1970-01-01T00:00:04Z" }, [5, 4]],
    [{ since: "1970-01-01T00:00:04.001Z" }, [5]],
  ] as const)
    assert.deepEqual(await list(five, query), [ids, undefined], JSON.stringify(query))
})

test("an operation that does not exist is refused with the nearest name; those of the sandbox exist", async () => {
  const unknown = "is not the operationId of an operation"
  assert.deepEqual(await list(five, { operation: "addPets" }), [
    ["operation", "unknown", `${unknown}; did you mean addPet?`],
  ])
  assert.deepEqual(await list(five, { operation: "zzzzzzzzzzzzzzz" }), [["operation", "unknown", unknown]])
  assert.deepEqual(await list(five, { operation: "resetSandbox" }), [[], undefined])
})

test("a page ends early where it shows much, and continues with the next", async () => {
  // In JSON twice as long as in memory.
  const responseBody = '"'.repeat(4000)
  const count = 200
  const large = verbsFor(...Array.from({ length: count }, () => ({ responseBody })))
  const bytesOf = async (id: number) =>
    Buffer.byteLength(JSON.stringify(await runVerb(large.getRequest, {}, { params: { id } })))
  const [first, next] = (await list(large, {}, { limit: 1000 })) as [number[], number]
  assert.equal(first.length, Math.floor(pageBytesMax / (await bytesOf(count))))
  assert.equal(next, count - first.length + 1)
  const [rest] = (await list(large, {}, { limit: 1000, before: next })) as [number[], undefined]
  assert.equal(first.length + rest.length, count)
})

test("a page ends early where it examines much without finding any", async () => {
  const requestBody = Buffer.alloc(16 * 1024, "a")
  const count = Math.ceil((2 * pageBytesMax) / requestBody.length) + 5
  const many = verbsFor({ path: "/api/v3/pet/9" }, ...Array.from({ length: count }, () => ({ requestBody })))
  const [none, next] = (await list(many, { path: "/pet/9" })) as [number[], number]
  assert.ok(none.length === 0 && next > 1 && next < 60, String(next))
  assert.deepEqual(await list(many, { path: "/pet/9" }, { before: next }), [[1], undefined])
})

test("a page shows at most 1 MiB, or one request, and examines at most 2 MiB", async () => {
  const pathOf = (bytes: number) => ({ path: "p".repeat(bytes) })
  const shown = await runVerb(verbsFor({}).getRequest, {}, { params: { id: 1 } })
  const half = pageBytesMax / 2 - JSON.stringify(shown).length
  for (const [lengths, page] of [
    [
      [half, half],
      [[2, 1], undefined],
    ],
    [
      [half + 1, half],
      [[2], 2],
    ],
    [
      [0, 3 * half],
      [[2], 2],
    ],
  ] as const)
    assert.deepEqual(await list(verbsFor(...lengths.map(pathOf))), page, String(lengths))
  const unit = verbsFor({}).journal.newest()[0]?.bytes ?? 0
  const text = 2 * pageBytesMax - 3 * unit
  for (const [bytes, page] of [
    [text, [[1], undefined]],
    [text + 1, [[], 2]],
  ] as const) {
    const found = await list(verbsFor({ path: "/a" }, pathOf(bytes - 8), pathOf(6)), { path: "/a" })
    assert.deepEqual(found, page, `${bytes} bytes`)
  }
})

test("one is shown by its id", async () => {
  const shown = async (id: number) => {
    const one = await runVerb(five.getRequest, {}, { params: { id } })
    return one instanceof Problem ? one.code : "id" in one && one.id
  }
  assert.deepEqual([await shown(1), await shown(5)], [1, 5])
  assert.deepEqual([await shown(0), await shown(6)], Array(2).fill("request-not-found"))
  const emptied = verbsFor({}, {})
  const message = { code: 200, type: "success", message: "The recorded requests are forgotten" }
  assert.deepEqual(await runVerb(emptied.deleteRequests, {}), message)
  assert.deepEqual(await list(emptied), [[], undefined])
})

test("a stream starts after the last request, or after one that the client names", async () => {
  const start = async (after?: number, lastEventId?: string) => {
    const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId }
    const parts = { headers, endpoint: { streams: true as const } }
    const started = await runVerb(five.streamRequests, parts, { query: after === undefined ? {} : { after } })
    if (started instanceof Problem) return violationsOf(started)
    assert.deepEqual(started.last, { position: 5, id: "5" })
    assert.equal(started.after.id, String(started.after.position))
    return started.after.position
  }
  assert.deepEqual([await start(), await start(0), await start(3), await start(9)], [5, 0, 3, 5])
  assert.deepEqual([await start(3, "4"), await start(3, ""), await start(3, "0"), await start(3, "99")], [4, 3, 0, 5])
  const refused = [["Last-Event-ID", "wrong-form", "must be the id of a request"]]
  for (const id of ["a", "-1", "1.5", "9007199254740992"]) assert.deepEqual(await start(3, id), refused)
})

test("an expectation without a meaning is refused", async () => {
  const refusals = async (body: RequestExpectation) => {
    const outcome = await runVerb(five.verifyRequests, {}, { body })
    return outcome instanceof Problem && outcome.code === "invalid-body" ? violationsOf(outcome) : []
  }
  const beside = ["/inSequence", "not-allowed", "must not be beside match, exactly, atLeast and atMost"]
  const exactly = ["/exactly", "not-allowed", "must not be beside atLeast and atMost"]
  const more = ["/atLeast", "too-large", "must not be more than atMost"]
  const unknown = (pointer: string) => [
    pointer,
    "unknown",
    "is not the operationId of an operation; did you mean addPet?",
  ]
  for (const [body, expected] of [
    [{ inSequence: [{}], match: {} }, [beside]],
    [{ inSequence: [{}], exactly: 0 }, [beside]],
    [{ inSequence: [{}], atLeast: 0 }, [beside]],
    [{ inSequence: [{}], atMost: 0 }, [beside]],
    [{ inSequence: [{}] }, []],
    [{ exactly: 0, atLeast: 0 }, [exactly]],
    [{ exactly: 0, atMost: 1 }, [exactly]],
    [{ exactly: 0 }, []],
    [{ atLeast: 2, atMost: 1 }, [more]],
    [{ atLeast: 1, atMost: 1 }, []],
    [{ match: { operation: "addPets" } }, [unknown("/match/operation")]],
    [{ inSequence: [{ operation: "addPet" }, { operation: "addPets" }] }, [unknown("/inSequence/1/operation")]],
  ] as [RequestExpectation, unknown[]][])
    assert.deepEqual(await refusals(body), expected, JSON.stringify(body))
})

test("an expectation finds paths with the addresses of the sandbox", async () => {
  const count = async (body: RequestExpectation) => {
    const outcome = await runVerb(five.verifyRequests, {}, { body })
    return outcome instanceof Problem ? outcome.code : "count" in outcome && outcome.count
  }
  assert.equal(await count({ match: { path: "/api/v3/pet/1" } }), 1)
  assert.equal(await count({ inSequence: [{ path: "/v2/pet/1" }, { path: "/pet/2" }, { operation: "addPet" }] }), 3)
})
