import assert from "node:assert/strict"
import { test } from "node:test"
import type { Exam } from "./contract.ts"
import { badgeOf, verdictsOf } from "./verdicts.ts"

const of = (...outcomes: Exam["tasks"][number]["outcome"][]): Exam => ({
  url: "http://a/api/v3",
  key: "k",
  tasks: outcomes.map((outcome, n) => ({
    chapter: "c",
    name: `t${n}`,
    expects: "e",
    source: "practice",
    outcome,
    observed: "o",
  })),
})

test("verdicts are those of petstore exam, where what is open or needs an adapter is not claimed", () => {
  const told = verdictsOf(of("passed", "missed", "open", "unjudged")).map(({ outcome, observed }) => [
    outcome,
    observed,
  ])
  assert.deepEqual(told, [
    ["passed", "o"],
    ["missed", "o"],
    ["unclaimed", "not done"],
    ["unclaimed", "not judged without an adapter"],
  ])
})

test("a badge counts what was passed of what is judged, in a colour for each result", () => {
  const badge = badgeOf(of("passed", "missed", "open", "unjudged"))
  assert.match(badge, /<title>petstore exam: 1 of 3 passed<\/title>/)
  const colors = [of("passed"), of("missed", "passed"), of("open")].map(
    (exam) => /z" fill="(#\w+)"/.exec(badgeOf(exam))?.[1],
  )
  assert.equal(new Set(colors).size, 3)
})
