import assert from "node:assert/strict"
import { test } from "node:test"
import type { SandboxDiff } from "./contract.ts"
import { describeDiff, linesOf } from "./diff-words.ts"

const none = { added: 0, removed: 0, changed: 0 }
const nothing: SandboxDiff = {
  name: "run-7",
  with: "template",
  counts: { pet: none, order: none, user: none, webhook: none, key: none },
  changes: [],
  isComplete: true,
}

test("a difference is counted in words, with what is not shown", () => {
  assert.equal(describeDiff(nothing), "Compared with template: no difference")
  const { with: _, ...ofSeed } = nothing
  const counts = { ...nothing.counts, pet: { added: 2000, removed: 0, changed: 1 }, key: { ...none, removed: 1 } }
  assert.equal(
    describeDiff({ ...ofSeed, seed: "shelter", counts, isComplete: false }),
    "Compared with the shelter data: 2,000 pets added, 1 changed; 1 key removed (0 shown)",
  )
})

test("what was added or removed is named, and members that differ have both values, secrets none", () => {
  const lines = [
    ...linesOf({ kind: "pet", id: 1, change: "added", value: { name: "Rex" } }),
    ...linesOf({ kind: "order", id: 2, change: "removed", value: { petId: 1, status: "placed" } }),
    ...linesOf({
      kind: "user",
      id: 3,
      change: "changed",
      members: [{ pointer: "/phone", before: "1" }, { pointer: "/password" }],
    }),
  ]
  assert.deepEqual(
    lines.map((line) => Object.values(line).join(" | ")),
    [
      "added | pet | 1 |  |  | Rex",
      "removed | order | 2 |  | pet 1, placed | ",
      'changed | user | 3 | phone | "1" | ',
      "changed | user | 3 | password |  | (secret)",
    ],
  )
})
