import assert from "node:assert/strict"
import { test } from "node:test"
import { at, problem } from "../problem.ts"
import { problemDocument } from "./problem-document.ts"

test("a document has the members of its problem, and its violations if there are any", () => {
  const about = { publicUrl: "https://a.example", instance: "/a", requestId: "r1" }
  const kind = { status: 422, title: "Wrong", meaning: "" }
  const document = {
    type: "https://a.example/problems/wrong",
    title: "Wrong",
    status: 422,
    detail: "why",
    instance: "/a",
    code: "wrong",
    message: "why",
    requestId: "r1",
  }
  assert.deepEqual(problemDocument(problem("wrong", "why"), kind, about), document)
  const violations = at("/a", "blank", "must not be empty")
  const more = problem("wrong", "why", { violations, members: { limit: 5 } })
  assert.deepEqual(problemDocument(more, kind, about), { ...document, limit: 5, errors: violations })
})
