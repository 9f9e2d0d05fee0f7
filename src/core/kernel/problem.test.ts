import assert from "node:assert/strict"
import { test } from "node:test"
import { at, inParameter, invalidBody, kindsOf, Problem, problem, sentence } from "./problem.ts"

test("kinds of problems have the status of their family, and a title from their code unless they state one", () => {
  assert.deepEqual(kindsOf(404, { "pet-not-found": "No pet.", gone: { title: "Was here", meaning: "Gone." } }), {
    "pet-not-found": { status: 404, title: "Pet not found", meaning: "No pet." },
    gone: { status: 404, title: "Was here", meaning: "Gone." },
  })
})

test("violations become the detail, the first one in words", () => {
  for (const [violations, detail] of [
    [at("/tags/0/name", "blank", "must not be empty"), "tags.0.name must not be empty"],
    [at("", "wrong-type", "must be an object"), "The body must be an object"],
    [[...at("/a", "x", "is wrong"), ...inParameter("b", "y", "is wrong")], "a is wrong (and 1 more)"],
    [[...inParameter("b", "y", "is wrong"), ...at("/a", "x", ""), ...at("/a", "x", "")], "b is wrong (and 2 more)"],
  ] as const) {
    assert.equal(sentence(violations), detail)
    const made = problem("invalid", violations, { retryAfter: 1 })
    assert.deepEqual([made.code, made.detail, made.violations, made.retryAfter], ["invalid", detail, violations, 1])
  }
  assert.deepEqual(problem("invalid", "why").violations, [])
})

test("a body without violations has no problem", () => {
  assert.equal(invalidBody([]), undefined)
  assert.equal(invalidBody(at("/a", "x", "is wrong"))?.code, "invalid-body")
})

test("a problem can have further headers", () => {
  const first = new Problem("a", "b", { headers: { x: "1", y: "2" }, retryAfter: 3, members: { m: 1 } })
  const { code, detail, headers, retryAfter, members, message } = first.withHeaders({ y: "4", z: ["5"] })
  assert.deepEqual(
    [code, detail, headers, retryAfter, members, message],
    ["a", "b", { x: "1", y: "4", z: ["5"] }, 3, { m: 1 }, "a: b"],
  )
})
