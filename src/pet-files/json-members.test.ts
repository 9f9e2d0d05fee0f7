import assert from "node:assert/strict"
import { test } from "node:test"
import { mapMembers } from "./json-members.ts"

test("a mapped member is read like a field of CSV when it is text, and otherwise kept", () => {
  const map = new Map([
    ["animal", "name"],
    ["kind", "category"],
    ["labels", "tags"],
    ["more", "tags"],
    ["state", "status"],
    ["secret", undefined],
  ] as const)
  assert.deepEqual(
    mapMembers(
      { animal: "Rex", kind: { name: "Dogs" }, labels: "a;b", more: ["c", "d;e"], secret: 1, status: "sold", other: 2 },
      map,
    ),
    {
      other: 2,
      name: "Rex",
      category: { name: "Dogs" },
      tags: [{ name: "a" }, { name: "b" }, { name: "c" }, { name: "d;e" }],
    },
  )
  assert.deepEqual(mapMembers({ labels: [1, "a"], state: null, name: "own" }, map), { tags: [1, "a"], status: null })
  assert.deepEqual(mapMembers({ other: 1 }, map), { other: 1 })
  assert.deepEqual(mapMembers(Object.create({ animal: "inherited" }), map), {})
})
