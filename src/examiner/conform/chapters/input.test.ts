import assert from "node:assert/strict"
import { test } from "node:test"
import { verdictOf } from "../../../../test/harness/conform-check.ts"
import { ids } from "./ids.ts"
import { input } from "./input.ts"

test("null is as if it was omitted, also if the service has no default", async () => {
  const judge = (...pets: object[]) =>
    verdictOf(input, "null-is-omitted", ...[{ id: 1 }, ...pets].map((value) => ({ value })))
  assert.equal(await judge({ id: 2 }, { id: 3 }), "passed")
  assert.equal(await judge({ id: 2, status: "available" }, { id: 3, status: "available" }), "passed")
  assert.match(
    await judge({ id: 2 }, { id: 3, status: null }),
    /^missed: the pet was \{"id":\d+,"status":null\} instead of/,
  )
})

test("what a service refuses says nothing when it refuses all pets", async () => {
  for (const chapter of [ids, input])
    for (const { name } of chapter.tasks)
      assert.equal(
        await verdictOf(chapter, name, { status: 400 }),
        "unclaimed: a pet cannot be added: POST /pet was 400",
      )
})
