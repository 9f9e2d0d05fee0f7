import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { Problem } from "../../kernel/problem.ts"
import { refusalOf, storeViews } from "./store-views.ts"

/** The list of the store with a query, when the feed ends at this position; and what was read for it. */
async function list(query: string, { last = 0, refusal = undefined as Error | undefined } = {}) {
  const read: unknown[] = []
  const call = {
    async listPets(request: object) {
      read.push(request)
      if (refusal) throw refusal
      return { value: [{ id: 7 }], next: "next", total: { count: 1, isExact: true } }
    },
  }
  const events = {
    lastPosition: async () => last,
    at: async (position: number) => ({ id: `evt_${position}` }),
    async feed(after: number, accountId: number, limit: number) {
      read.push([after, accountId, limit])
      return Array.from({ length: Math.min(limit, last - after) }, (_, n) => ({ position: after + n + 1 }))
    },
  }
  const views = storeViews((() => call) as unknown as Parameters<typeof storeViews>[0], { events } as never)
  const view = await views.list(exchangeOf(`/?${query}`))
  const { query: parameters, recentEvents, ...others } = view
  const positions = recentEvents.map((event) => (event as unknown as { position: number }).position)
  return { view: { ...others, query: `${parameters}`, recentEvents: positions }, read }
}

test("the list has the pets of its query, and the latest eight public events of the last two hundred", async () => {
  assert.deepEqual(await list("", { last: 3 }), {
    view: {
      filter: {},
      query: "",
      isStart: true,
      recentEvents: [3, 2, 1],
      resumeAfter: "evt_3",
      pets: [{ id: 7 }],
      next: "next",
      total: { count: 1, isExact: true },
      refusal: undefined,
    },
    read: [[0, 0, 200], { query: { limit: 24 }, counts: true }],
  })
  const { view, read } = await list("name=&status=sold&other=x&cursor=c", { last: 300 })
  assert.deepEqual(
    [view.filter, view.isStart, view.recentEvents],
    [{ status: "sold" }, false, [300, 299, 298, 297, 296, 295, 294, 293]],
  )
  assert.deepEqual(read, [[100, 0, 200], { query: { status: "sold", limit: 24, cursor: "c" }, counts: true }])
  const start = async (query: string) => (await list(query)).view
  assert.deepEqual([(await start("name=&cursor=")).isStart, (await start("cursor=c")).isStart], [true, false])
  assert.equal((await start("sort=id")).isStart, false)
  assert.deepEqual([(await start("")).resumeAfter, (await start("")).recentEvents], ["", []])
  assert.equal((await list("", { last: 1 })).view.resumeAfter, "evt_1")
})

test("a query that is refused has the reason and no pets; any other failure is one", async () => {
  const refusal = new Problem("invalid-parameter", "cursor is unknown")
  const { view } = await list("cursor=x", { refusal })
  assert.deepEqual(
    [view.pets, view.next, view.total, view.refusal, view.isStart],
    [[], undefined, undefined, "cursor is unknown", false],
  )
  await assert.rejects(list("", { refusal: new Problem("unavailable", "No") }), { code: "unavailable" })
})

test("the reason of a problem is shown, of these codes or of any; another error stays one", () => {
  const problem = new Problem("forbidden", "No")
  assert.equal(refusalOf(problem), "No")
  assert.equal(refusalOf(problem, "not-found", "forbidden"), "No")
  assert.throws(() => refusalOf(problem, "not-found"), { code: "forbidden" })
  assert.throws(() => refusalOf(new Error("a bug")), /a bug/)
})
