import assert from "node:assert/strict"
import { test } from "node:test"
import { judgeCheck, verdictOf } from "../../../../test/harness/conform-check.ts"
import { ids } from "./ids.ts"

/** The responses to the pet that is added first, and to the search for one with the id that is sent next. */
const before = [{ value: { id: 1 } }, { status: 404 }]

test("an id that a parser of JSON rounds may be stored as it is or refused, and not rounded", async () => {
  const [exact, rounded] = ['{"id":9007199254740993}', '{"id":9007199254740992}']
  assert.equal(await verdictOf(ids, "never-rounds", ...before, { text: exact }), "passed")
  assert.equal(await verdictOf(ids, "never-rounds", ...before, { text: rounded }), `missed: the response is ${rounded}`)
  assert.equal(await verdictOf(ids, "never-rounds", ...before, { status: 400, text: rounded }), "passed")
  assert.equal(
    await verdictOf(ids, "never-rounds", ...before, { status: 500 }),
    "missed: POST /pet was 500 instead of 4xx",
  )
})

test("the id 0 is replaced by one from 1 on", async () => {
  for (const id of [1, 2]) assert.equal(await verdictOf(ids, "zero-is-no-id", ...before, { value: { id } }), "passed")
  for (const id of [0, -1, null])
    assert.equal(await verdictOf(ids, "zero-is-no-id", ...before, { value: { id } }), `missed: the id is ${id}`)
})

test("the id of a client is kept, and is another one in each examination", async (t) => {
  const sent: number[] = []
  const examine = (change: number) =>
    judgeCheck(ids, "keeps-the-id-of-a-client", ({ request, body }, n) => {
      if (n === 1) return { value: { id: 1 } }
      if (request !== "POST /pet") return { status: request === `GET /pet/${sent.at(-1)}` ? 200 : 404 }
      const { id } = body as { id: number }
      sent.push(id)
      return { value: { id: id + change } }
    })
  const random = t.mock.method(Math, "random", () => 0)
  assert.equal((await examine(0)).verdict, "passed")
  random.mock.mockImplementation(() => 1 - 1e-10)
  assert.equal((await examine(1)).verdict, "missed: the id was 1033554432 instead of 1033554431")
  assert.deepEqual(sent, [33_554_433, 1_033_554_431])
})

test("a service gives each pet an id of its own, an integer from 1 on", async () => {
  const judge = (...given: unknown[]) =>
    verdictOf(ids, "gives-each-pet-an-id", before[0] ?? {}, ...given.map((id) => ({ value: { id } })))
  assert.equal(await judge(7, 8), "passed")
  assert.equal(await judge(1, Number.MAX_SAFE_INTEGER), "passed")
  assert.equal(await judge(7, 7), "missed: two pets have the id 7")
  for (const id of [0, -1, 1.5, 2 ** 53, "1", null]) assert.equal(await judge(7, id), `missed: an id is ${id}`)
})

test("a category and a tag have ids", async () => {
  const judge = (category: unknown, tag: unknown) =>
    verdictOf(ids, "gives-ids-to-names", ...before.slice(0, 1), {
      value: { category: { id: category, name: "Dogs" }, tags: [{ id: tag, name: "calm" }] },
    })
  assert.equal(await judge(1, 2), "passed")
  assert.equal(await judge("1", 2), "missed: the ids are 1 and 2")
  assert.equal(await judge(1, 1.5), "missed: the ids are 1 and 1.5")
})

test("an id that a pet of the service has already is not used", async () => {
  for (const name of ["zero-is-no-id", "never-rounds", "keeps-the-largest-id"])
    assert.match(await verdictOf(ids, name, { value: { id: 1 } }), /^unclaimed: there is a pet \d+ already$/)
})
