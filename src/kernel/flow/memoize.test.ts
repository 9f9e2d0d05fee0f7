import assert from "node:assert/strict"
import { test } from "node:test"
import { memoize } from "./memoize.ts"

const counted = (entriesMax: number, lengthMax: number) => {
  const computed: string[] = []
  const upper = memoize(
    (text) => {
      computed.push(text)
      if (text === "bad") throw new Error("refused")
      return { text: text.toUpperCase() }
    },
    { entriesMax, lengthMax },
  )
  return { computed, upper }
}

test("the result for a text is computed once and shared", () => {
  const { computed, upper } = counted(10, 10)
  assert.equal(upper("a"), upper("a"))
  assert.deepEqual(upper("b"), { text: "B" })
  assert.deepEqual(computed, ["a", "b"])
})

test("results for long texts, and errors, are not cached", () => {
  const { computed, upper } = counted(10, 3)
  for (let n = 0; n < 2; n++) {
    upper("long")
    assert.throws(() => upper("bad"), /refused/)
  }
  assert.deepEqual(computed, ["long", "bad", "long", "bad"])
})

test("a full cache is cleared for further texts", () => {
  const { computed, upper } = counted(2, 10)
  for (const text of ["a", "b", "c", "c", "a"]) upper(text)
  assert.deepEqual(computed, ["a", "b", "c", "a"])
})
