import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem, problem } from "../../../kernel/problem.ts"
import { refusal } from "./refusal.ts"

test("a refused line has the problem, and of its violations the first ten, within the line", () => {
  assert.deepEqual(refusal(new Problem("pet-not-found", "Pet not found"), "/patch"), {
    problem: { code: "pet-not-found", detail: "Pet not found" },
  })
  const violations = Array.from({ length: 11 }, (_, n) => ({
    pointer: `/${n}`,
    code: "required",
    detail: "is required",
  }))
  const { problem: refused } = refusal(problem("invalid-body", violations), "/patch")
  assert.deepEqual(
    refused?.errors,
    violations.slice(0, 10).map((each) => ({ ...each, pointer: `/patch${each.pointer}` })),
  )
  assert.equal(refused?.detail, "patch.0 is required (and 10 more)")
  const parameter = { parameter: "petId", code: "unknown", detail: "is unknown" }
  assert.deepEqual(refusal(problem("invalid-body", [parameter])).problem?.errors, [parameter])
})
