import assert from "node:assert/strict"
import { test } from "node:test"
import { memoize } from "./memoize.ts"

function counted() {
  const computed: string[] = []
  const upper = memoize(
    (text) => {
      computed.push(text)
      if (text === "bad") throw new Error("refused")
      return { text: text.toUpperCase() }
    },
    { entriesMax: 100, lengthMax: 200 },
  )
  return { computed, upper }
}

test("the result for a text is computed once and shared", () => {
  const { computed, upper } = counted()
  assert.equal(upper("a"), upper("a"))
  assert.deepEqual(upper("b"), { text: "B" })
  assert.deepEqual(computed, ["a", "b"])
})

test("results for texts of more than 200 characters, and errors, are not cached", () => {
  const { computed, upper } = counted()
  const [short, long] = ["x".repeat(200), "x".repeat(201)]
  for (let n = 0; n < 2; n++) {
    for (const text of [short, long]) upper(text)
    assert.throws(() => upper("bad"), /refused/)
  }
  assert.deepEqual(computed, [short, long, "bad", long, "bad"])
})

test("a cache of 100 texts is cleared for further ones", () => {
  const { computed, upper } = counted()
  const texts = Array.from({ length: 100 }, (_, n) => `${n}`)
  for (const text of [...texts, ...texts]) upper(text)
  assert.deepEqual(computed, texts)
  for (const text of ["more", "more", "0"]) upper(text)
  assert.deepEqual(computed.slice(100), ["more", "0"])
})
