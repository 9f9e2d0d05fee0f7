import assert from "node:assert/strict"
import { test } from "node:test"
import { judgeCheck, verdictOf } from "../../../../test/harness/conform-check.ts"
import { ids } from "./input.ts"

test("an id that a parser of JSON rounds may be stored as it is or refused, and not rounded", async () => {
  const [exact, rounded] = ['{"id":9007199254740993}', '{"id":9007199254740992}']
  assert.equal(await verdictOf(ids, "never-rounds", { text: exact }), "passed")
  assert.equal(await verdictOf(ids, "never-rounds", { text: rounded }), `missed: the response is ${rounded}`)
  assert.equal(await verdictOf(ids, "never-rounds", { status: 400, text: rounded }), "passed")
  assert.equal(await verdictOf(ids, "never-rounds", { status: 500 }), "missed: POST /pet was 500 instead of 4xx")
})

test("the id 0 is replaced by one from 1 on", async () => {
  for (const id of [1, 2]) assert.equal(await verdictOf(ids, "zero-is-no-id", { value: { id } }), "passed")
  for (const id of [0, -1, null])
    assert.equal(await verdictOf(ids, "zero-is-no-id", { value: { id } }), `missed: the id is ${id}`)
})

test("the id of a client is kept, and is another one in each examination", async (t) => {
  const sent: number[] = []
  const examine = (change: number) =>
    judgeCheck(ids, "keeps-the-id-of-a-client", ({ request, body }) => {
      if (request !== "POST /pet") return { status: request === `GET /pet/${sent.at(-1)}` ? 200 : 404 }
      const { id } = body as { id: number }
      sent.push(id)
      return { value: { id: id + change } }
    })
  const random = t.mock.method(Math, "random", () => 0)
  assert.equal((await examine(0)).verdict, "passed")
  random.mock.mockImplementation(() => 1 - 1e-10)
  assert.equal((await examine(1)).verdict, "missed: the id was 1001000000 instead of 1000999999")
  assert.deepEqual(sent, [1_000_000, 1_000_999_999])
})
