import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { compareAttempts, groupAttempts, type Sent } from "./group-attempts.ts"

type Given = Partial<Sent> & { seconds?: number }

const sent = ({ seconds = 0, ...more }: Given): Sent => ({
  arrivedAt: seconds * 1000,
  endedAt: seconds * 1000 + 500,
  target: "key 1 POST /pet",
  key: undefined,
  body: "{}",
  ...more,
})

/** The groups of these requests, as their positions. */
function groupsOf(...given: Given[]): number[][] {
  const all = given.map(sent)
  return groupAttempts(all).map((group) => group.map((one) => all.indexOf(one)))
}

test("requests with the same key belong together, however late and with which body", () => {
  const key = "k"
  assert.deepEqual(groupsOf({ key }, { key, seconds: 9999, body: "[]" }, { key, body: undefined }), [[0, 1, 2]])
  assert.deepEqual(groupsOf({ key, body: "a" }, { key: "l", body: "b" }), [[0], [1]])
})

test("requests with the same body belong together until a minute has passed since the one before, also with another key", () => {
  assert.deepEqual(groupsOf({}, { seconds: 60.5 }, { seconds: 121 }), [[0, 1, 2]])
  assert.deepEqual(groupsOf({}, { seconds: 60.501 }), [[0], [1]])
  assert.deepEqual(groupsOf({ key: "k" }, { key: "l" }, { body: "[]" }), [[0, 1], [2]])
  assert.deepEqual(groupsOf({ body: "" }, { body: "" }), [[0, 1]])
  assert.deepEqual(groupsOf({ body: undefined }, { body: undefined }), [[0], [1]], "unknown bodies are not equal")
})

test("a key decides before a body, and the latest attempt with it is continued", () => {
  assert.deepEqual(groupsOf({ key: "k", body: "a" }, { key: "l", body: "b" }, { key: "k", body: "b" }), [[0, 2], [1]])
  assert.deepEqual(groupsOf({ body: "a" }, { key: "k", body: "a" }, { key: "k", body: "b" }, { body: "b" }), [
    [0, 1, 2, 3],
  ])
})

test("requests to different targets never belong together", () => {
  assert.deepEqual(groupsOf({ key: "k" }, { key: "k", target: "key 2 POST /pet" }), [[0], [1]])
})

test("a group ends with its hundredth attempt", () => {
  const groups = groupsOf(...Array.from({ length: 201 }, () => ({ key: "k" })))
  assert.deepEqual(
    groups.map(({ length }) => length),
    [100, 100, 1],
  )
})

test("attempts are compared where there is something to compare", () => {
  const compared = (...given: Given[]) => compareAttempts(given.map(sent))
  assert.deepEqual(compared({ key: "k" }, { key: "k" }), { bodiesEqual: true, keysEqual: true })
  assert.deepEqual(compared({ key: "k" }, { body: "[]" }), { bodiesEqual: false, keysEqual: false })
  assert.deepEqual(compared({ body: "" }, { body: "" }), {})
  assert.deepEqual(compared({ body: "" }, {}), { bodiesEqual: false })
  assert.deepEqual(compared({ body: undefined }, {}), {})
})

const few = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
const requests = fc
  .array(
    fc.record({
      pauseSeconds: fc.constantFrom(0, 1, 59, 61),
      target: fc.constantFrom("a", "b"),
      key: few("k", "l"),
      body: few("", "{}", "[]"),
    }),
    { maxLength: 40 },
  )
  .map((given) => {
    let seconds = 0
    return given.map(({ pauseSeconds, ...one }) => {
      seconds += pauseSeconds
      return sent({ ...one, seconds })
    })
  })

test("each request is in one group, in which the order is kept, and groups begin in the order of their first", () => {
  fc.assert(
    fc.property(requests, (all) => {
      const groups = groupAttempts(all).map((group) => group.map((one) => all.indexOf(one)))
      const ascending = (numbers: number[]) =>
        assert.deepEqual(
          numbers,
          numbers.toSorted((a, b) => a - b),
        )
      assert.deepEqual(
        groups.flat().toSorted((a, b) => a - b),
        all.map((_, n) => n),
      )
      for (const group of groups) ascending(group)
      ascending(groups.map(([first = -1]) => first))
    }),
  )
})

test("a request joins earlier ones of its target with its key, or with its body a minute before; unlike ones stay alone", () => {
  fc.assert(
    fc.property(requests, (all) => {
      const isLike = (one: Sent, earlier: Sent) =>
        one.target === earlier.target &&
        ((one.key !== undefined && one.key === earlier.key) || (one.body !== undefined && one.body === earlier.body))
      for (const group of groupAttempts(all))
        for (const [n, one] of group.entries())
          if (n > 0) assert.ok(group.slice(0, n).some((earlier) => isLike(one, earlier)))
      const groupOf = (one: Sent) => groupAttempts(all).findIndex((group) => group.includes(one))
      for (const [n, one] of all.entries()) {
        const earlier = all.slice(0, n).findLast(({ key, target }) => key === one.key && target === one.target)
        if (earlier && one.key !== undefined) assert.equal(groupOf(one), groupOf(earlier))
      }
      const unlike = all.map((one, n) => ({ ...one, target: String(n) }))
      assert.equal(groupAttempts(unlike).length, all.length)
    }),
  )
})
